import { readFileSync, writeFileSync } from 'node:fs';
import { readArguments, wrongUse } from '../../workspace/read-arguments.ts';
import { withSection } from '../section.ts';
import { kinds } from './kinds.ts';
import { type Asked, measure } from './measure.ts';
import { effortLine, effortSection, keepsPromise } from './page.ts';
import { sizes } from './tasks.ts';

const HELP = `Counts the calls and tokens that each kind of work asks of models, beside the least that the work needs.

  pnpm bench:effort                     everything, then its section of docs/performance.md
  pnpm bench:effort --only orchestrate  some of it, printed only

Needs no network: the only model is a script on loopback. Ends with 1 where a promise is not kept.
Kinds: ${kinds.map(({ name }) => name).join(', ')}
`;

const { values } = readArguments(HELP, { options: { only: { type: 'string' } } });
await benchEffort(values.only?.split(','));

async function benchEffort(only: readonly string[] | undefined): Promise<void> {
  const unknown = only?.filter((name) => !kinds.some((kind) => kind.name === name)) ?? [];
  if (unknown.length > 0) wrongUse(`no kind ${unknown.join(', ')}`);
  const results: Asked[] = [];
  for (const kind of kinds.filter(({ name }) => !only || only.includes(name))) {
    for (const size of sizes) {
      const asked = await measure(kind, size);
      process.stdout.write(`${effortLine(asked)}\n`);
      results.push(asked);
    }
  }
  if (!only) {
    const page = new URL('../../../docs/performance.md', import.meta.url);
    writeFileSync(page, withSection(readFileSync(page, 'utf8'), effortSection(results, new Date())));
  }
  const missed = results.filter((asked) => !keepsPromise(asked));
  process.stdout.write(missed.length === 0 ? '\nEvery promise is kept.\n' : `\n${missed.length} missed.\n`);
  if (missed.length > 0) process.exitCode = 1;
}
