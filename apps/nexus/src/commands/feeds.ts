import { endsWithin } from '@nexus/core';
import { isToolError } from '@nexus/plugin-sdk';
import { connectToNexus } from '../client/connect-to-nexus.ts';
import { readTool, type ToolAnswer } from '../client/read-tool.ts';
import { withFetching } from '../fetching/with-fetching.ts';
import { fail, print, printJson } from '../terminal/output.ts';
import { table } from '../terminal/table.ts';
import { type Command, configOption, jsonOption, text } from './command.ts';

type Audit = ToolAnswer<'vendor_publishing_audit'>;

const ONE_MS = 120_000;

export const feeds: Command = {
  usage: 'feeds <action> <vendor>',
  summary: 'fetch what a vendor publishes, or show what vendor_publishing_audit says of it',
  options: [jsonOption, configOption],
  examples: ['feeds fetch nodejs', 'feeds audit nodejs'],
  async run([action, given], options) {
    if (action !== 'fetch' && action !== 'audit')
      return fail(`no action "${String(action)}"; use fetch or audit`);
    const config = text(options, 'config');
    await using connection = await connectToNexus({ config });
    const read = () => readTool(connection, 'vendor_publishing_audit', { vendor: given });
    const known = await read();
    const failed = action === 'fetch' ? await fetchAll(known, config) : [];
    const audit = action === 'fetch' ? await read() : known;
    if (options.json === true) printJson({ ...audit, failed });
    else print(describe(audit, failed));
    return failed.length > 0 ? 1 : 0;
  },
};

interface Failed {
  readonly at: string;
  readonly why: string;
}

/** By the one way out of the machine, which keeps what it fetched. */
async function fetchAll({ publications }: Audit, config: string | undefined): Promise<Failed[]> {
  const urls = publications.map(({ at }) => at).filter((at) => /^https?:/i.test(at));
  return withFetching(config, async (fetching) => {
    const fetched = await Promise.all(
      urls.map(async (at): Promise<Failed[]> => {
        try {
          const { status, staleBecause } = await fetching.url(at, { signal: endsWithin(ONE_MS) });
          if (staleBecause !== undefined) return [{ at, why: staleBecause }];
          return status === 200 ? [] : [{ at, why: `answered ${status}` }];
        } catch (error) {
          if (!isToolError(error)) throw error;
          return [{ at, why: error.message }];
        }
      }),
    );
    return fetched.flat();
  });
}

function describe({ title, publications, findings, toFetch }: Audit, failed: readonly Failed[]): string[] {
  const rows = publications.map(({ kind, at, state, ageHours, facts }) => {
    const { entries = '-', last = '-' } = (facts ?? {}) as { entries?: number; last?: string }; // as the tool has it
    const age = typeof ageHours === 'number' ? `${ageHours} h` : '-';
    return [kind, state, age, String(entries), last, at];
  });
  return [
    title,
    '',
    ...table(['KIND', 'STATE', 'AGE', 'ENTRIES', 'LAST', 'AT'], rows),
    ...failed.map(({ at, why }) => `not fetched: ${at}: ${why}`),
    ...(findings.length > 0 ? [''] : []),
    ...findings.map(({ severity, at, claim }) => `${severity}: ${at}: ${claim}`),
    ...(toFetch === undefined ? [] : ['', `To fetch what is not here: ${toFetch}`]),
  ];
}
