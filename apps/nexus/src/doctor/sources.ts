import { endsWithin } from '@nexus/core';
import { type Fetching, type SourceName, sourceNames } from '@nexus/plugin-sdk';
import { counted } from '@nexus/primitives';
import { withFetching } from '../fetching/with-fetching.ts';
import type { Check } from './check.ts';

/** What costs each of them least. */
const PROBES: Readonly<Record<SourceName, string>> = {
  arxiv: 'api/query?id_list=2101.00001&max_results=1',
  crossref: 'works?rows=0',
  openalex: 'works?per-page=1&select=id',
  semantic_scholar: 'graph/v1/paper/search?query=roof&limit=1&fields=title',
  github: 'rate_limit',
};
type SourceStatus = Awaited<ReturnType<Fetching['status']>>;

/** What such an error advises elsewhere. */
const THIS_COMMAND = /; `nexus doctor --connect` tries every source(?=\.)/;

const ANSWER_MS = 15_000;

/** What each source lets be asked now, and, with `--connect`, whether it answers. */
export const sources: Check = {
  name: 'Sources',
  async run({ config, connect }) {
    const found = await withFetching(config, (fetching) =>
      Promise.all(sourceNames.map((name) => look(fetching, name, connect))),
    );
    const saw = found.map(({ line }) => line).join('\n      ');
    if (found.every(({ isReached }) => isReached)) return { status: 'ok', saw };
    const fix =
      'see that this machine reaches it and its key holds, or turn it off by sources.<name>.enabled; what needs it says so, and the others still answer';
    return { status: 'warning', saw, fix };
  },
};

async function look(fetching: Fetching, name: SourceName, connect: boolean) {
  const before = await fetching.status(name);
  if (!before.isEnabled) return { line: `${name}: turned off by the config`, isReached: true };
  if (!connect) return { line: `${name}: ${budget(before)}; --connect asks it`, isReached: true };
  const reach = await ask(fetching, name);
  const may = reach.isReached ? `; ${budget(await fetching.status(name))}` : '';
  return { ...reach, line: `${name}: ${reach.line}${may}` };
}

async function ask(fetching: Fetching, name: SourceName) {
  const startedAt = Date.now();
  try {
    const { status } = await fetching.source(name, {
      path: PROBES[name],
      isRaw: true,
      signal: endsWithin(ANSWER_MS),
    });
    return { line: `answered ${status} in ${Date.now() - startedAt} ms`, isReached: status < 400 };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { line: `not reached: ${why.replace(THIS_COMMAND, '')}`, isReached: false };
  }
}

function budget({ baseUrl, hasKey, remaining, inMs }: SourceStatus): string {
  return [
    baseUrl,
    hasKey ? 'with a key' : 'without a key',
    ...(remaining === undefined ? [] : [`${counted(remaining, 'request')} left`]),
    inMs === 0 ? 'may be asked now' : `may be asked in ${Math.ceil(inMs / 1_000)} s`,
  ].join(', ');
}
