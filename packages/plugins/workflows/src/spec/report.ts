import { counted } from '../counted.ts';
import { blockers, changeParts } from '../dev-pipeline/report.ts';
import type { Evidence } from './evidence.ts';
import { levelsOf, withoutCircles } from './order.ts';
import { readStructure } from './read-structure.ts';
import type { RequirementReport, SpecChange, SpecOutput } from './spec-output.ts';

const WORDS = { met: 'met', not_met: '**not met**', failed: '**failed**', blocked: '**blocked**' } as const;

/** What became of a specification, for a person. */
export function specReport({
  requirements,
  dag,
  leftOut,
  uncovered,
  contradictions = [],
  change,
}: SpecOutput): string {
  const met = requirements.filter(({ status }) => status === 'met').length;
  const rows = requirements.map(
    ({ id, status, lines, role, dependsOn }) =>
      `| ${id} | ${WORDS[status]} | ${lines.from}–${lines.to} | ${role} | ${dependsOn.join(', ') || '–'} |`,
  );
  return [
    `# ${met} of ${counted(requirements.length, 'requirement')} met`,
    ['| Requirement | Status | Lines | Expert | Needs |', '| --- | --- | --- | --- | --- |', ...rows].join(
      '\n',
    ),
    ...(change === undefined ? [] : [changeText(change)]),
    ...(dag.broken.length > 0
      ? [
          `These needs closed a circle and were not honoured: ${dag.broken.map(({ from, to }) => `${from} on ${to}`).join(', ')}.`,
        ]
      : []),
    ...(leftOut.length > 0
      ? [`## Left out\n\n${leftOut.map(({ id, text, reason }) => `- ${id}: ${text} (${reason})`).join('\n')}`]
      : []),
    ...(uncovered.length > 0
      ? [
          `## Not covered by any requirement\n\n${uncovered.map(({ lines, text }) => `- line ${lines.from}: ${text}`).join('\n')}`,
        ]
      : []),
    ...(contradictions.length > 0
      ? [
          `## Contradictions\n\n${contradictions.map(({ requirement, by, words, settled }) => `- ${by} says against ${by === requirement ? 'itself' : requirement}: “${words}” ${settled}`).join('\n')}`,
        ]
      : []),
    ...requirements.map(requirementText),
  ].join('\n\n');
}

function changeText({ isDirty, ...change }: SpecChange): string {
  const { status, vote, changes } = change;
  const { branch = '', base } = changes;
  const head = {
    done: `What was not met was done on the branch \`${branch}\`: see it with \`git diff ${base.slice(0, 12)} ${branch}\`, take it over with \`git merge ${branch}\`. Your own tree is as it was.`,
    blocked: `What was done for what is not met did not pass its quality gate (${blockers(change).join('; ')}), and counts for nothing. It is kept on the branch \`${branch}\`.`,
    unchanged: 'For what is not met, nothing was changed.',
    rejected: `The plan for what is not met was voted down, and nothing was done. ${vote.why}`,
    no_quorum: `The vote on the plan for what is not met decided nothing, and nothing was done. ${vote.why}`,
  }[status];
  const dirty = isDirty
    ? [' What you have changed and not committed is not in it: the work began at your last commit.']
    : [];
  return [`## Change\n\n${[head, ...dirty].join('')}`, changeParts(change)]
    .filter((part) => part !== '')
    .join('\n\n');
}

function requirementText({
  id,
  text,
  quote,
  lines,
  status,
  reason,
  evidence,
  against,
  basis,
  restsOn,
  proof,
  output,
}: RequirementReport) {
  const places = [...placesText('E', evidence), ...placesText('A', against)];
  return [
    `## ${id}: ${WORDS[status]} (${basis})`,
    text,
    `> ${quote.replace(/\s+/g, ' ')} (lines ${lines.from}–${lines.to})`,
    `${reason}${restsOn.length > 0 ? ` It rests on: ${restsOn.join(', ')}.` : ''}`,
    ...(proof === undefined ? [] : [`Proof: ${proof.why}`]),
    ...(places.length > 0 ? [`Evidence:\n\n${places.join('\n')}`] : []),
    ...(output === undefined
      ? []
      : [`<details><summary>What the expert answered</summary>\n\n${output}\n\n</details>`]),
  ].join('\n\n');
}

function placesText(mark: 'E' | 'A', evidence: readonly Evidence[]): string[] {
  return evidence.map(({ file, line, quote, isVerified, fault }, index) => {
    const verdict = isVerified ? 'found there' : `not counted: ${fault}`;
    return `- ${mark}${index + 1} \`${file}:${line}\` ${code(quote)} (${verdict})`;
  });
}

/** As code in a line of Markdown, whatever marks of code it has itself. */
function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const mark = '`'.repeat(longest + 1);
  return longest === 0 ? `${mark}${text}${mark}` : `${mark} ${text} ${mark}`;
}

/** What the form of a specification shows, without a model. */
export function structureOf(spec: string) {
  const read = readStructure(spec);
  const { items, broken } = withoutCircles(read);
  const levels = levelsOf(items);
  const rows = items.map(
    ({ id, text, lines, dependsOn }) =>
      `| ${id} | ${lines.from}–${lines.to} | ${text.replaceAll('|', '\\|')} | ${dependsOn.join(', ') || '–'} |`,
  );
  const summary = [
    `# Dry run: ${counted(items.length, 'place')} that ask${items.length === 1 ? 's' : ''} for something`,
    'Read by form alone (list items, and sentences with MUST, SHALL or SHOULD), without a model. A run has a model make requirements of it, and holds each against its line.',
    ['| Item | Lines | Text | Needs |', '| --- | --- | --- | --- |', ...rows].join('\n'),
  ].join('\n\n');
  return { items, broken, levels, summary };
}
