import { counted } from '@nexus/primitives';
import { isBroken, isUnknown } from '../asking/check-conditions.ts';
import { diffBlock } from '../worktree/diff-block.ts';
import type { DevInput } from './dev-input.ts';
import type { CheckReport, DevOutput, OldTestsReport, QaReport, TaskReport } from './dev-output.ts';
import { planText } from './plan.ts';
import { ranText } from './ran-in-work.ts';

/** What became of a dev pipeline, for a person: the result first. */
export function devReport(input: DevInput, output: DevOutput): string {
  const { plan, tasks, vote, effort = '' } = output;
  return [
    headline(input, output),
    ...(input.repository.isDirty
      ? ['What you have changed and not committed is not in it: the work began at your last commit.']
      : []),
    changeParts(output),
    voteText(vote.summary),
    `## Plan\n\n${planText(plan)}`,
    tasksText(tasks),
    effort,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** The vote says itself what was decided, as a heading. */
function voteText(summary: string): string {
  return summary.startsWith('## ') ? `## Vote: ${summary.slice(3)}` : `## Vote\n\n${summary}`;
}

/** What was changed, and what stands for it, but the vote: its summary has its conditions, as they were checked. */
export function changeParts({
  changes,
  checks,
  qa,
  vote,
}: Pick<DevOutput, 'changes' | 'checks' | 'qa' | 'vote'>): string {
  return [
    diffText(changes),
    changedFiles(changes),
    checksTable(checks),
    qaText(qa, isBroken(vote.conditions) || isUnknown(vote.conditions)),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function headline({ repository }: DevInput, output: DevOutput): string {
  const { status, vote, changes } = output;
  const { branch, base } = changes;
  const look = `See it with \`git -C ${repository.repository} diff ${base.slice(0, 12)} ${branch}\`.`;
  switch (status) {
    case 'done':
      return `# Done, on branch \`${branch}\`${lacking(output)}\n\nYour own tree is as it was. ${look} Take it over with \`git merge ${branch}\`.${
        lacking(output) === '' ? '' : ' **Its quality was not passed**: see below.'
      }`;
    case 'blocked':
      return `# Blocked by the quality gate: ${blockers(output).join('; ')}\n\nNo branch is left as done. What was made is kept on \`${branch}\`. ${look}`;
    case 'unchanged':
      return '# Nothing was changed\n\nThe work was done, and left every file as it was; there is no branch.';
    case 'rejected':
      return `# Stopped: the plan was voted down\n\n${vote.why} Nothing was begun after ${counted(vote.rounds, 'ballot')}, and no branch is left.`;
    case 'no_quorum':
      return `# Stopped: the vote decided nothing\n\n${vote.why} Nothing was begun, and no branch is left.`;
  }
}

/** What a gate that advises lets through, and would be blocked by. */
function lacking(output: DevOutput): string {
  const named = output.qa.gate === 'off' ? [] : blockers(output);
  return named.length === 0 ? '' : `, but not passed: ${named.join('; ')}`;
}

/** What keeps it from being done. */
export function blockers({ checks, qa, vote }: Pick<DevOutput, 'checks' | 'qa' | 'vote'>): string[] {
  const of = (isOne: typeof isBroken) => vote.conditions.filter((each) => isOne([each])).length;
  const [open, untold] = [of(isBroken), of(isUnknown)];
  return [
    ...checks.flatMap(({ name, before, after = 'not run' }) =>
      after === 'passed'
        ? []
        : [`${name} ${words(after)}${before === 'passed' ? ', which passed before' : ''}`],
    ),
    ...(qa.review?.passes === false ? ['the review did not let it pass'] : []),
    ...(qa.oldTests?.isAllowed === false ? ['it takes back what tests that were there ask for'] : []),
    ...(open === 0 ? [] : [`${counted(open, 'condition')} of the vote not met`]),
    ...(untold === 0 ? [] : [`${counted(untold, 'condition')} of the vote that nobody can tell`]),
  ];
}

function changedFiles({ files }: DevOutput['changes']): string {
  if (files.length === 0) return '';
  const rows = files.map(({ path, added, removed }) =>
    added === undefined ? `- \`${path}\` (binary)` : `- \`${path}\` +${added} −${removed}`,
  );
  return `## Changed files\n\n${rows.join('\n')}`;
}

function checksTable(checks: readonly CheckReport[]): string {
  if (checks.length === 0) return '';
  const rows = checks.map(
    ({ name, before, after = 'not run' }) => `| ${name} | ${words(before)} | ${words(after)} |`,
  );
  return ['## Checks', '', '| Check | Before | After |', '| --- | --- | --- |', ...rows].join('\n');
}

function qaText({ gate, passed, rounds, review, proof, oldTests }: QaReport, isUnmet: boolean): string {
  if (gate === 'off') return 'The quality gate is off: nothing was checked, and nobody reviewed it.';
  if (!review) return '';
  const findings = review.findings.map(
    ({ file, line, claim }) => `- \`${file}${line === undefined ? '' : `:${line}`}\`: ${claim}`,
  );
  const came = passed ? `Passed${isUnmet ? ', but for conditions of the vote,' : ''}` : 'Not passed';
  const verdict = `${came} after ${counted(rounds, 'round')}, gate ${gate}.`;
  return [
    ...(proof === undefined ? [] : [`## Proof\n\n${proof.why}`]),
    ...(oldTests === undefined ? [] : [`## Tests that were there\n\n${oldTestsText(oldTests)}`]),
    `## Review\n\n${verdict} ${review.summary}`,
    ...(findings.length > 0 ? [findings.join('\n')] : []),
  ].join('\n\n');
}

function oldTestsText({ why, isAllowed }: OldTestsReport): string {
  return isAllowed
    ? `${why} The reviewer says that what they asked for is what was to be changed.`
    : `${why} Nobody who did not make the change says that what they asked for is what was to be changed.`;
}

function tasksText(tasks: readonly TaskReport[]): string {
  const texts = tasks.map(({ title, status, commit, output, stopped, basis, ran }) => {
    const where = commit === undefined ? words(status) : `commit \`${commit.slice(0, 12)}\``;
    return [
      `### ${title}${basis === undefined ? '' : ` (${basis})`}\n\n${where}`,
      ranText(ran),
      output,
      ...(stopped === undefined ? [] : [stopped]),
    ]
      .filter((part) => part !== '')
      .join('\n\n');
  });
  return texts.length === 0 ? '' : `## Tasks\n\n${texts.join('\n\n')}`;
}

function diffText({ diff, isCut }: DevOutput['changes']): string {
  if (diff === '') return '';
  return `## Diff\n\n${diffBlock(diff)}${isCut ? '\n\nIt is longer than that: the branch has all of it.' : ''}`;
}

const words = (status: string) => status.replaceAll('_', ' ');

/** What a dry run tells: all that is settled before a model is asked. */
export function dryRunReport(input: DevInput, commands: Readonly<Record<string, readonly string[]>>): string {
  const { repository, setup, checks, qualityGate, maxVoteIterations, maxQaIterations, planFile } = input;
  const listed = (names: readonly string[]) =>
    names.length === 0
      ? 'none'
      : names.map((name) => `\`${name}\` (\`${(commands[name] ?? []).join(' ')}\`)`).join(', ');
  const others = Object.keys(commands).filter((name) => !setup.includes(name) && !checks.includes(name));
  return [
    '# Dry run: nothing was changed, and no model was asked',
    [
      `1. A worktree of ${repository.repository} at commit ${repository.base.slice(0, 12)}, on a new branch \`nexus/…\`.${
        repository.isDirty ? ' Your uncommitted changes would not be in it.' : ''
      }`,
      `2. Made ready by: ${listed(setup)}.`,
      `3. Checks before any change: ${qualityGate === 'off' ? 'none, since the quality gate is off' : listed(checks)}.`,
      planFile === undefined
        ? '4. Research, but for a short task that names its files, then a plan.'
        : `4. A plan from ${planFile}, without research.`,
      `5. A vote on the plan, of one voter where plan and task are small, else of a panel, up to ${counted(maxVoteIterations, 'ballot')}.`,
      `6. Each task in a conversation that may change files inside the worktree and run: ${listed([...checks, ...others])}.`,
      qualityGate === 'off'
        ? '7. No checks and no review.'
        : `7. Checks, first with the new tests and the old code, and a review, up to ${counted(maxQaIterations, 'round')}; the gate is ${qualityGate}.`,
      '8. Commits on the branch; the worktree is taken away.',
    ].join('\n'),
  ].join('\n\n');
}
