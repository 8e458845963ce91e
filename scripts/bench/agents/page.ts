import type { Section } from '../section.ts';
import { type LargeTook, MOST_BUNDLED, MOST_PICKED } from './large-answers.ts';
import type { Done, Side } from './measure.ts';
import { type Took, together } from './ways.ts';
import { BELOW } from './work.ts';

export const AGENTS_HEADING = '## What agents pay, beside a shell';

export interface Results {
  readonly sides: readonly Side[];
  readonly large: { readonly each: readonly LargeTook[]; readonly bundled: Took };
}

export function agentsSection({ sides, large }: Results, measuredOn: Date): Section {
  return {
    heading: AGENTS_HEADING,
    text: [
      `Made by \`pnpm bench:agents\` on ${measuredOn.toISOString().slice(0, 10)}: seven kinds of work on the sources of one pinned package (rxjs, 250 files), by the tools of a running Nexus and by a shell. Each way's answers are held to have what was asked for. The shell's commands are those of somebody who knows rg, awk, sed, git and jq by heart, who knows where to look, and who never reads more than they ask for; for other servers they have a client on the command line that prints nothing but what it was asked: names and first lines, the schemas of one tool, an answer. Tokens (o200k) are those that a model writes to call and those that it reads of the answers as text, over all calls; what the list of tools costs is told above, what a host adds to either is not counted.`,
      '',
      '| Work | Tasks | Calls | Shell | Tokens | Shell | Ratio | |',
      '| --- | --- | --- | --- | --- | --- | --- | --- |',
      ...sides.map(kindLine),
      '',
      'Large answers of other servers, found by find_tools and read by use_tool: whole, and by `pick`; then all five found, and read by one `bundle`, each with its `pick`, beside all five found and read whole.',
      '',
      '| Answer | Whole | By pick | Ratio | |',
      '| --- | --- | --- | --- | --- |',
      ...largeLines(large),
    ].join('\n'),
  };
}

export function kindLine({ kind, tasks, nexus, shell }: Side): string {
  const most = kind.most === BELOW ? 'below the shell' : `at most ${kind.most}x`;
  return row([
    kind.name,
    tasks.length,
    nexus.calls,
    shell.calls,
    nexus.tokens.toLocaleString('en-US'),
    shell.tokens.toLocaleString('en-US'),
    `${(nexus.tokens / shell.tokens).toFixed(2)}x`,
    `${most}: ${keepsBar({ kind, nexus, shell }) ? 'met' : '**missed**'}`,
  ]);
}

export function taskLine({ task, nexus, shell, lacks }: Done): string {
  const ratio = (nexus.tokens / shell.tokens).toFixed(2);
  return `    ${ratio}x ${nexus.tokens} / ${shell.tokens} tokens, ${nexus.calls} / ${shell.calls} calls: ${task.asked}${lacks.length === 0 ? '' : ` LACKS ${lacks.join(', ')}`}`;
}

export function largeLines({ each, bundled }: Results['large']): string[] {
  const whole = together(each.map((answer) => answer.whole));
  return [
    ...each.map((answer) => largeLine(answer.what, answer.picked, answer.whole, MOST_PICKED)),
    largeLine('all five, by one bundle', bundled, whole, MOST_BUNDLED),
  ];
}

function largeLine(what: string, part: Took, whole: Took, most: number): string {
  const ratio = part.tokens / whole.tokens;
  const tokens = [whole, part].map((took) => took.tokens.toLocaleString('en-US'));
  return row([
    what,
    ...tokens,
    `${ratio.toFixed(2)}x`,
    `at most ${most}x: ${ratio <= most ? 'met' : '**missed**'}`,
  ]);
}

/** What is over its bar, by name, and what an answer lacks. */
export function missedOf({ sides, large }: Results): string[] {
  const whole = together(large.each.map((answer) => answer.whole));
  return [
    ...sides.flatMap(({ tasks }) => tasks.flatMap(({ lacks }) => lacks.map((part) => `no ${part}`))),
    ...sides.filter((side) => !keepsBar(side)).map(({ kind }) => kind.name),
    ...large.each
      .filter(({ picked, whole }) => picked.tokens > MOST_PICKED * whole.tokens)
      .map(({ what }) => what),
    ...(large.bundled.tokens > MOST_BUNDLED * whole.tokens ? ['bundle'] : []),
  ];
}

function keepsBar({ kind, nexus, shell }: Pick<Side, 'kind' | 'nexus' | 'shell'>): boolean {
  const ratio = nexus.tokens / shell.tokens;
  return kind.most === BELOW ? ratio < BELOW : ratio <= kind.most;
}

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}
