import { kinds } from './cases/cases.ts';
import type { Outcome, Recorded } from './record.ts';

/** What a run came to, Markdown: a row for each kind, way, and what is told of it. */
export function tableOf({ model, isScripted, outcomes }: Recorded): string {
  const rows = kinds.flatMap((kind) =>
    (['nexus', 'direct'] as const).flatMap((way) => {
      const of = outcomes.filter((each) => each.kind === kind && each.way === way);
      return of.length === 0 ? [] : [rowOf(kind, way, of)];
    }),
  );
  const total = (of: (each: Outcome) => number) => outcomes.reduce((sum, each) => sum + of(each), 0);
  const unpriced = total(({ spent }) => spent.unpriced);
  return [
    `Model: ${model}`,
    ...(isScripted
      ? ['**The model is scripted: it answers as it is told. These figures say nothing of any model.**']
      : []),
    [
      '| Kind | Way | Cases | Right | No answer | Calls | Tokens in | Tokens out | Cost |',
      '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
      ...rows,
    ].join('\n'),
    `In all ${total(({ spent }) => spent.calls)} calls, ${total(({ spent }) => spent.inputTokens + spent.outputTokens)} tokens, ${usd(total(({ spent }) => spent.costUsd))}${unpriced > 0 ? `, and ${unpriced} calls whose price is unknown` : ''}, ${Math.round(total(({ ms }) => ms) / 1_000)} s.`,
  ].join('\n\n');
}

function rowOf(kind: string, way: string, of: readonly Outcome[]): string {
  const told = [...new Set(of.flatMap(({ score }) => Object.keys(score)))];
  const rates = told.map((name) => `${name} ${of.filter(({ score }) => score[name]).length}/${of.length}`);
  const mean = (value: (each: Outcome) => number) =>
    of.reduce((sum, each) => sum + value(each), 0) / of.length;
  const cells = [
    ...[kind, way, of.length, rates.join(', ') || '–'],
    of.filter(({ failure }) => failure !== undefined).length,
    mean(({ spent }) => spent.calls).toFixed(1),
    Math.round(mean(({ spent }) => spent.inputTokens)),
    Math.round(mean(({ spent }) => spent.outputTokens)),
    of.some(({ spent }) => spent.unpriced > 0) ? 'unknown' : usd(mean(({ spent }) => spent.costUsd)),
  ];
  return `| ${cells.join(' | ')} |`;
}

const usd = (cost: number) => `$${cost.toFixed(4)}`;
