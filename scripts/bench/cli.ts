import { readFileSync, writeFileSync } from 'node:fs';
import { readArguments, wrongUse } from '../workspace/read-arguments.ts';
import { AGENTS_HEADING } from './agents/page.ts';
import { EFFORT_HEADING } from './effort/page.ts';
import { meetsTarget } from './figure.ts';
import { GROWTH_HEADING } from './growth/page.ts';
import { measures } from './measures.ts';
import { type Measured, performancePage, row } from './page.ts';
import { isRehearsal } from './rehearsal.ts';
import { sectionOf, withSection } from './section.ts';

const HELP = `Measures Nexus beside something real and writes docs/performance.md.

  pnpm bench                    everything, then the page
  pnpm bench --only start-up    some of it, printed only
  pnpm bench --rehearse         whether it can be measured, without figures; what installs programs of others only if --only names it

Measures: ${measures.map(({ name }) => name).join(', ')}
`;

const { values } = readArguments(HELP, {
  options: { only: { type: 'string' }, rehearse: { type: 'boolean' } },
});
const only = values.only?.split(',');
const unknown = only?.filter((name) => !measures.some((measure) => measure.name === name)) ?? [];
if (unknown.length > 0) wrongUse(`no measure ${unknown.join(', ')}`);
const asked = measures.filter(({ name }) => !only || only.includes(name));
await (isRehearsal ? rehearse() : bench());

async function rehearse(): Promise<void> {
  for (const { name, run } of asked.filter(({ fetches }) => !fetches || only)) {
    await run();
    process.stdout.write(`${name} can be measured\n`);
  }
}

async function bench(): Promise<void> {
  const results: Measured[] = [];
  for (const measure of asked) {
    process.stdout.write(`${measure.name} …\n`);
    const figures = await measure.run();
    for (const figure of figures) process.stdout.write(`${row(figure)}\n`);
    if (figures.length > 0) results.push({ measure, figures });
  }
  if (!only) {
    const file = new URL('../../docs/performance.md', import.meta.url);
    const old = readFileSync(file, 'utf8');
    // What commands of their own have written stays.
    const kept = [AGENTS_HEADING, EFFORT_HEADING, GROWTH_HEADING].flatMap(
      (heading) => sectionOf(old, heading) ?? [],
    );
    writeFileSync(file, kept.reduce(withSection, performancePage(results, new Date())));
  }
  const missed = results.flatMap(({ figures }) => figures).filter((figure) => !meetsTarget(figure));
  process.stdout.write(
    missed.length === 0 ? '\nEvery target is met.\n' : `\n${missed.length} targets missed.\n`,
  );
}
