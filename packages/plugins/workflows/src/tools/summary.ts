import { textOf } from '../expressions/values.ts';
import type { GraphOutput } from '../runs/graph-run.ts';
import { lineBefore } from '../runs/in-its-words.ts';
import type { Planned } from '../runs/plan.ts';
import type { StepDone } from '../runs/workflow-run.ts';
import { diffBlock, isDiff } from '../worktree/diff-block.ts';

/** How a run went, without what it came to, which stands beside it. */
export function runSummary(name: string, steps: readonly StepDone[]): string {
  const skipped = steps.filter(({ status }) => status === 'skipped');
  const done = steps.length - skipped.length;
  const reasons = skipped.map(({ id, onlyIf }) => (onlyIf === undefined ? id : `${id} (only if ${onlyIf})`));
  const left = skipped.length === 0 ? '' : ` Left out: ${reasons.join(', ')}.`;
  return [
    `# ${name}`,
    `${done} of ${steps.length} ${steps.length === 1 ? 'step' : 'steps'} done.${left}`,
  ].join('\n\n');
}

/** How a graph went. */
export function graphSummary(name: string, { nodes }: Pick<GraphOutput, 'nodes'>): string {
  const visited = nodes.filter(({ visits }) => visits > 0);
  const words = visited.map(({ id, visits }) => (visits === 1 ? id : `${id} (${visits} times)`));
  return [`# ${name}`, `Visited: ${words.join(', ')}.`].join('\n\n');
}

/** The title of a summary, what the run came to, whole and after whose words it is in, and then how it went. */
export function resultText(summary: string, output: unknown): string {
  if (output === undefined) return summary;
  const end = summary.indexOf('\n\n');
  const [title, how] = end === -1 ? [summary, ''] : [summary.slice(0, end), summary.slice(end + 2)];
  return [title, lineBefore(output) ?? '', valueText(output), how].filter((part) => part !== '').join('\n\n');
}

/** The graphs that there are, Markdown. */
export function listSummary(
  graphs: readonly { readonly name: string; readonly description: string }[],
): string {
  return graphs.map(({ name, description }) => `- **${name}**: ${description}`).join('\n');
}

/** Text as it is but for a diff, which Markdown would break, lists and members as such where they are short, the rest as JSON; what is empty is left out. */
function valueText(output: unknown): string {
  if (typeof output !== 'object' || output === null) return textOf(output);
  const members = Object.entries(output).filter(([, value]) => value !== null && value !== '');
  if (members.length === 0) return '(no output)';
  return members
    .map(([name, value]) => {
      if (typeof value === 'string')
        return `## ${name}\n\n${isDiff(value) ? diffBlock(value) : value.trim()}`;
      if (typeof value !== 'object' || value === null) return `**${name}**: ${textOf(value)}`;
      return `## ${name}\n\n\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
    })
    .join('\n\n');
}

export interface PlanToShow {
  readonly name: string;
  readonly plan: readonly Planned[];
  readonly missingInputs: readonly string[];
  readonly faults: readonly string[];
}

/** What would be done, Markdown. */
export function planSummary({ name, plan, missingInputs, faults }: PlanToShow): string {
  const steps = plan.map(({ id, uses, title, needs, if: condition, forEach }, index) => {
    const about = [
      ...(needs.length === 0 ? [] : [`after ${needs.join(', ')}`]),
      ...(condition === undefined ? [] : [`if \`${condition}\``]),
      ...(forEach === undefined ? [] : [`for each of \`${forEach.slice(0, 100)}\``]),
    ];
    const more = about.length === 0 ? '' : ` (${about.join('; ')})`;
    return `${index + 1}. **${title ?? id}**: ${uses}${more}`;
  });
  return [
    `# ${name}, not run`,
    ...(faults.length === 0 ? [] : [`## Faults\n\n${faults.map((fault) => `- ${fault}`).join('\n')}`]),
    ...(missingInputs.length === 0 ? [] : [`Missing inputs: ${missingInputs.join(', ')}.`]),
    ...(steps.length === 0 ? [] : [`## Plan\n\n${steps.join('\n')}`]),
  ].join('\n\n');
}
