import type { Section } from '../section.ts';
import type { Promised } from './kinds.ts';
import type { Asked } from './measure.ts';

export const EFFORT_HEADING = '## What work asks of models';

export function effortSection(results: readonly Asked[], measuredOn: Date): Section {
  return {
    heading: EFFORT_HEADING,
    text: [
      `Made by \`pnpm bench:effort\` on ${measuredOn.toISOString().slice(0, 10)}: each kind of work on a task about one, two and four files of one pinned package (commander), done by the real server. Its model is a script on loopback in Anthropic's wire format that does its part as a good model would: it reads, at once, the files that a request names and does not show, then answers; every judge is content. Rows **with proof**, and no others, have proofs: the fault that an answer tells of, the mend, each met requirement, the finding is shown by a test that the script writes, Nexus runs, and somebody judges; the bench ends where not all of them are shown. In the other rows whoever is asked for a test says that none can show it. So nothing here is said of any model: it is what Nexus asks.`,
      '',
      'Input tokens are those of tools, system prompts and messages as JSON, by the o200k tokenizer, over all calls. **New** are those that are left when each request is told without what it begins with like an earlier one: what a provider that keeps beginnings reads anew; the new ratio is theirs to all tokens of the least. **Least**: one model with the reading kit that does the same with as few calls as can be, the texts it needs said once and without the instructions of the project; where the kind of work promises a second look, of one more who sees what came of it; of a specification, who takes it apart, and a judge of each requirement; of a vote, four who see the files; of a proof, its test, written by whoever works on it, and one who judges it.',
      '',
      '| Work | Task | Calls | Least | Ratio | Input tokens | New | Least | Ratio | New ratio | Promised |',
      '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
      ...results.map(effortLine),
    ].join('\n'),
  };
}

export function effortLine(asked: Asked): string {
  const { kind, size, nexus, least } = asked;
  const cells = [
    kind.name,
    size,
    nexus.calls,
    least.calls,
    `${ratio(asked, 'calls').toFixed(2)}x`,
    ...[nexus.inputTokens, nexus.newTokens, least.inputTokens].map((tokens) =>
      tokens.toLocaleString('en-US'),
    ),
    `${ratio(asked, 'tokens').toFixed(2)}x`,
    `${ratio(asked, 'new tokens').toFixed(2)}x`,
    promisesOf(kind)
      .map(([of, most]) => `${of} at most ${most}x: ${isKept(asked, of, most) ? 'met' : '**missed**'}`)
      .join('; '),
  ];
  return `| ${cells.join(' | ')} |`;
}

export function keepsPromise(asked: Asked): boolean {
  return promisesOf(asked.kind).every(([of, most]) => isKept(asked, of, most));
}

const promisesOf = ({ promised = {} }: Asked['kind']) =>
  Object.entries(promised) as [keyof Promised, number][];

const isKept = (asked: Asked, of: keyof Promised, most: number) => ratio(asked, of) <= most;

function ratio({ nexus, least }: Asked, of: keyof Promised): number {
  if (of === 'calls') return nexus.calls / least.calls;
  return (of === 'tokens' ? nexus.inputTokens : nexus.newTokens) / least.inputTokens;
}
