import { counted } from '@nexus/primitives';
import { conditionsText } from '../asking/check-conditions.ts';
import { blockers, changeParts } from '../dev-pipeline/report.ts';
import type { Kept } from '../proof/kept-run.ts';
import { beforeEvidence } from './claims.ts';
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
  const rows = requirements.map(
    (report) =>
      `| ${report.id} | ${statusText(report)} | ${report.lines.from}–${report.lines.to} | ${report.role} | ${report.dependsOn.join(', ') || '–'} |`,
  );
  return [
    headline(requirements, change),
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

/** Whether it is met, where there is a change with that change. */
export const isMetNow = ({ status, onBranch }: Pick<RequirementReport, 'status' | 'onBranch'>) =>
  status === 'met' && onBranch?.state !== 'unknown';

/** Where something was done, by what was seen of the branch and by nothing else. */
function headline(requirements: readonly RequirementReport[], change: SpecChange | undefined): string {
  const met = requirements.filter(isMetNow).length;
  const head = `# ${met} of ${counted(requirements.length, 'requirement')} met`;
  if (change?.status !== 'done') return head;
  const of = (state: Kept['state']) =>
    requirements.flatMap(({ id, onBranch }) => (onBranch?.state === state ? [id] : [])).join(', ');
  const broken = of('broken');
  const unknown = of('unknown');
  return [
    `${head} on the branch`,
    ...(broken === '' ? [] : [`, which breaks ${broken}`]),
    ...(unknown === ''
      ? []
      : [`\n\nMet before the change, and not shown to be so on its branch: ${unknown}.`]),
  ].join('');
}

const statusText = (report: Pick<RequirementReport, 'status' | 'onBranch'>) =>
  report.status === 'met' && !isMetNow(report)
    ? 'met before, **not shown on the branch**'
    : WORDS[report.status];

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
  return [`## Change\n\n${[head, ...dirty].join('')}`, changeParts(change), conditionsText(vote.conditions)]
    .filter((part) => part !== '')
    .join('\n\n');
}

function requirementText(report: RequirementReport) {
  const { id, text, quote, lines, reason, evidence, against, basis, restsOn, proof, onBranch, output } =
    report;
  const said = evidence.length + against.length > 0 ? beforeEvidence(output ?? '') : (output ?? '');
  return [
    `## ${id}: ${statusText(report)} (${basis})`,
    text,
    `> ${quote.replace(/\s+/g, ' ')} (lines ${lines.from}–${lines.to})`,
    `${reason}${restsOn.length > 0 ? ` It rests on: ${restsOn.join(', ')}.` : ''}`,
    ...(proof === undefined ? [] : [`Proof: ${proof.why}`]),
    ...(onBranch === undefined ? [] : [`On the branch: ${onBranch.why}`]),
    ...placesText('Evidence', 'E', evidence),
    ...placesText('Against it', 'A', against),
    ...(said === '' ? [] : [`<details><summary>What the expert answered</summary>\n\n${said}\n\n</details>`]),
  ].join('\n\n');
}

function placesText(heading: string, mark: 'E' | 'A', evidence: readonly Evidence[]): string[] {
  if (evidence.length === 0) return [];
  const places = evidence.map(({ file, line, quote, isVerified, fault }, index) => {
    const verdict = isVerified ? 'found there' : `not counted: ${fault}`;
    return `- ${mark}${index + 1} \`${file}:${line}\` ${code(quote)} (${verdict})`;
  });
  return [`${heading}:\n\n${places.join('\n')}`];
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
    `# Dry run: ${counted(items.length, 'place that asks', 'places that ask')} for something`,
    'Read by form alone (list items, and sentences with MUST, SHALL or SHOULD), without a model. A run has a model make requirements of it, and holds each against its line.',
    ['| Item | Lines | Text | Needs |', '| --- | --- | --- | --- |', ...rows].join('\n'),
  ].join('\n\n');
  return { items, broken, levels, summary };
}
