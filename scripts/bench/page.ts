import { cpus } from 'node:os';
import { type Figure, type Measure, meetsTarget, ratioOf } from './figure.ts';

export interface Measured {
  readonly measure: Measure;
  readonly figures: readonly Figure[];
}

/** docs/performance.md, whole. */
export function performancePage(results: readonly Measured[], measuredOn: Date): string {
  const machine = `${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown processor'}, ${process.platform}, Node.js ${process.version}`;
  return [
    '# Performance',
    '',
    'This page is for whoever asks what Nexus costs in time and memory.',
    '',
    'Made by `pnpm bench`. A relay here is a process that only passes on what it gets. Each figure stands beside something real, measured in the same run, in turn, so that the ratio holds on another machine where the milliseconds do not. Where a floor stands beside the verdict, it is the least that anything in that place must cost, measured in the same run too: as a ratio to the same, and what Nexus is of it.',
    '',
    `Measured on ${measuredOn.toISOString().slice(0, 10)}: ${machine}.`,
    '',
    '| What | Nexus | Beside | Ratio | Target | |',
    '| --- | --- | --- | --- | --- | --- |',
    ...results.flatMap(({ figures }) => figures.map(row)),
    '',
    '## How',
    '',
    ...results.map(({ measure }) => `- **${measure.name}**: ${measure.method}`),
    '',
  ].join('\n');
}

export function row(figure: Figure): string {
  const { what, unit, nexus, against, target } = figure;
  const ratio = ratioOf(figure);
  const limit = 'atMost' in target ? target.atMost : target.atLeast;
  const side = 'atMost' in target ? 'at most' : 'at least';
  const bound = `${side} ${target.of === 'ratio' ? `${limit}x` : `${number(limit)} ${unit}`}`;
  const cells = [
    what,
    `${number(nexus)} ${unit}`,
    against ? `${against.name}: ${number(against.value)} ${unit}` : '',
    ratio === undefined ? '' : `${ratio.toFixed(2)}x`,
    bound,
    [meetsTarget(figure) ? 'met' : '**missed**', ...floorsOf(figure)].join('; '),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** As ratios to what Nexus is held against, and of Nexus to them. */
function floorsOf({ nexus, floors = [], against }: Figure): string[] {
  if (!against) return [];
  return floors.map(({ name, value }) => {
    const ratio = (value / against.value).toFixed(2);
    return `${name}: ${ratio}x, of which Nexus is ${(nexus / value).toFixed(2)}x`;
  });
}

function number(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  return value >= 10 ? value.toFixed(1) : value.toFixed(3);
}
