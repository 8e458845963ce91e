import { cpus } from 'node:os';
import type { Grown } from './row.ts';
import { verdict } from './shape.ts';

const HEADING = '## As work grows';

/** Its section of docs/performance.md. */
export function growthSection(results: readonly Grown[], measuredOn: Date): string {
  return [
    HEADING,
    '',
    `Made by \`pnpm bench:growth\`: each kind of work at three sizes, and the exponent of the curve through them: 0 is flat, 1 linear, 2 quadratic. Measured on ${measuredOn.toISOString().slice(0, 10)} with ${cpus().length} cores, Node.js ${process.version}.`,
    '',
    '| What | Sizes | Cost | Exponent | |',
    '| --- | --- | --- | --- | --- |',
    ...results.map(growthLine),
    '',
    ...results.map(({ row }) => `- **${row.name}**: ${row.method}`),
    '',
  ].join('\n');
}

export function growthLine(grown: Grown): string {
  const { row, points } = grown;
  const { exponent, faults } = verdict(grown);
  const sizes = points.map(({ size }) => size.toLocaleString('en-US')).join(' / ');
  const costs = points.map(({ cost }) => number(cost)).join(' / ');
  const bound = row.atMost === undefined ? '' : `; at most ${row.atMost.toLocaleString('en-US')} ${row.unit}`;
  const judged = faults.length === 0 ? 'holds' : `**${faults.join(', ')}**`;
  return `| ${row.what} | ${sizes} | ${costs} ${row.unit} | ${exponent.toFixed(2)} | ${judged}${bound} |`;
}

/** The page with this section in the place of the one that it has, or at its end. */
export function withGrowth(page: string, section: string): string {
  return `${growthOf(page).rest.trimEnd()}\n\n${section.trimEnd()}\n`;
}

/** The section as a page has it, and the page without. */
export function growthOf(page: string): { readonly section: string | undefined; readonly rest: string } {
  const at = page.indexOf(`\n${HEADING}\n`);
  if (at === -1) return { section: undefined, rest: page };
  return { section: page.slice(at + 1), rest: page.slice(0, at) };
}

function number(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(1);
}
