import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { meetsTarget } from './figure.ts';
import { measures } from './measures.ts';
import { type Measured, performancePage, row } from './page.ts';

const HELP = `Measures Nexus beside something real and writes docs/performance.md.

  pnpm bench                    everything, then the page
  pnpm bench --only start-up    some of it, printed only

Measures: ${measures.map(({ name }) => name).join(', ')}
`;

const { values } = parseArgs({
  options: { only: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
});
if (values.help) process.stdout.write(HELP);
else await bench(values.only?.split(','));

async function bench(only: readonly string[] | undefined): Promise<void> {
  const unknown = only?.filter((name) => !measures.some((measure) => measure.name === name)) ?? [];
  if (unknown.length > 0) throw new Error(`no measure ${unknown.join(', ')}; see --help`);
  const results: Measured[] = [];
  for (const measure of measures.filter(({ name }) => !only || only.includes(name))) {
    process.stdout.write(`${measure.name} …\n`);
    const figures = await measure.run();
    for (const figure of figures) process.stdout.write(`${row(figure)}\n`);
    if (figures.length > 0) results.push({ measure, figures });
  }
  if (!only)
    writeFileSync(
      new URL('../../docs/performance.md', import.meta.url),
      performancePage(results, new Date()),
    );
  const missed = results.flatMap(({ figures }) => figures).filter((figure) => !meetsTarget(figure));
  process.stdout.write(
    missed.length === 0 ? '\nEvery target is met.\n' : `\n${missed.length} targets missed.\n`,
  );
}
