import { readFileSync, writeFileSync } from 'node:fs';
import { readArguments, wrongUse } from '../../workspace/read-arguments.ts';
import { withSection } from '../section.ts';
import { growthLine, growthSection } from './page.ts';
import type { Grown, GrowthRow } from './row.ts';
import { growthRows } from './rows.ts';
import { verdict } from './shape.ts';

const HELP = `Measures what work costs as it grows, each kind at three sizes, and computes the shape of the curve.

  pnpm bench:growth                        everything, then its section of docs/performance.md
  pnpm bench:growth --only many-toolboxes  some of it, printed only
  pnpm bench:growth --small                at sizes that take seconds, printed only

Ends with 1 where a curve is worse than linear or a bound is not kept.
Rows: ${growthRows.map(({ name }) => name).join(', ')}
`;

const { values } = readArguments(HELP, {
  options: { only: { type: 'string' }, small: { type: 'boolean', default: false } },
});
await benchGrowth(values.only?.split(','), values.small);

async function benchGrowth(only: readonly string[] | undefined, isSmall: boolean): Promise<void> {
  const unknown = only?.filter((name) => !growthRows.some((row) => row.name === name)) ?? [];
  if (unknown.length > 0) wrongUse(`no row ${unknown.join(', ')}`);
  const results: Grown[] = [];
  for (const row of growthRows.filter(({ name }) => !only || only.includes(name))) {
    const grown = await grow(row, isSmall ? row.smallSizes : row.sizes);
    process.stdout.write(`${growthLine(grown)}\n`);
    results.push(grown);
  }
  if (!only && !isSmall) {
    const page = new URL('../../../docs/performance.md', import.meta.url);
    writeFileSync(page, withSection(readFileSync(page, 'utf8'), growthSection(results, new Date())));
  }
  const bad = results.filter((each) => verdict(each).faults.length > 0);
  process.stdout.write(bad.length === 0 ? '\nNothing bends.\n' : `\n${bad.length} bend.\n`);
  if (bad.length > 0) process.exitCode = 1;
}

async function grow(row: GrowthRow, sizes: readonly number[]): Promise<Grown> {
  const points = [];
  for (const size of sizes) points.push({ size, cost: await row.measure(size) });
  return { row, points };
}
