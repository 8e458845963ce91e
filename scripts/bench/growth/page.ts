import { cpus } from 'node:os';
import type { Section } from '../section.ts';
import type { Grown } from './row.ts';
import { verdict } from './shape.ts';

export const GROWTH_HEADING = '## As work grows';

/** Its section of docs/performance.md. */
export function growthSection(results: readonly Grown[], measuredOn: Date): Section {
  const lines = [
    `Made by \`pnpm bench:growth\`: each kind of work at three sizes, and the exponent of the curve through them: 0 is flat, 1 linear, 2 quadratic. Measured on ${measuredOn.toISOString().slice(0, 10)} with ${cpus().length} cores, Node.js ${process.version}.`,
    '',
    '| What | Sizes | Cost | Exponent | |',
    '| --- | --- | --- | --- | --- |',
    ...results.map(growthLine),
    '',
    ...results.map(({ row }) => `- **${row.name}**: ${row.method}`),
  ];
  return { heading: GROWTH_HEADING, text: lines.join('\n') };
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

function number(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(1);
}
