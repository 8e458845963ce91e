import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { OpenProject } from '../../quality/ways/project.ts';
import { bin } from '../subjects.ts';
import type { LeastTalk } from './least.ts';
import { testOf, type Wanted } from './proofs.ts';
import { wordsOn } from './scripted-team.ts';
import type { FileOfTask, Task } from './tasks.ts';

/** New tokens are held against the least of all tokens: what is told once need not be told again. */
export type Promised = Readonly<Partial<Record<'calls' | 'tokens' | 'new tokens', number>>>;

/** One kind of work, and what it would need at least. */
export interface Kind {
  readonly name: string;
  run(project: OpenProject, task: Task): Promise<unknown>;
  /** The conversations of one model that has the reading kit and does the same with as few calls as can be. */
  least(task: Task): readonly LeastTalk[];
  /** How many proofs its model brings about by a test that is run and judged; absent where it writes none. */
  readonly proofs?: (task: Task) => number;
  /** What was promised: how many times the least it is at most. */
  readonly promised?: Promised;
}

const pathsOf = ({ files }: Task) => files.map(({ path }) => path).join(', ');
const question = (task: Task) => `Say what ${pathsOf(task)} does, and whether anything in it is left undone.`;
const reading = (task: Task): LeastTalk => ({ prompt: question(task), reads: task.files });
/** Somebody else who sees what came of it. */
const looking = (shown: string): LeastTalk => ({ prompt: `Is this so?\n\n${shown}` });
const report = 'What was found out, in six sentences, and a line of evidence for each file.'.repeat(6);
const changes = ({ files }: Task) =>
  files.map(({ path, line, mended }) => `--- ${path}\n-${line.text}\n+${mended}`).join('\n');

/** The tests that show it, as they are written. */
const tests = (files: readonly FileOfTask[], wanted: Wanted = 'mended') => testOf(files, wanted).text;
const one = ({ files }: Task) => files.slice(0, 1);

const WITHOUT_PROOF: readonly Kind[] = [
  {
    name: 'chat',
    run: ({ at }, task) =>
      promisify(execFile)(process.execPath, [bin, 'chat', question(task), '--json'], {
        cwd: at.cwd,
        env: { ...process.env, ...at.env },
      }),
    least: (task) => [reading(task)],
    promised: { tokens: 1.5 },
  },
  {
    name: 'execute_expert',
    run: (project, task) => project.call('execute_expert', { expertId: 'code', task: question(task) }),
    least: (task) => [reading(task)],
  },
  {
    name: 'orchestrate',
    run: (project, task) => project.call('orchestrate', { task: question(task) }),
    least: (task) => (task.files.length === 1 ? [reading(task)] : [reading(task), looking(report)]),
    promised: { calls: 1.5, 'new tokens': 1.5 },
  },
  {
    name: 'bug-fix',
    run: (project, task) =>
      project.call('run_workflow', { template: 'bug-fix', inputs: { report: question(task) } }),
    // Root, test, siblings and mend in one conversation, and a second look at them.
    least: (task) => [reading(task), looking(report)],
    promised: { calls: 1, 'new tokens': 1.5 },
  },
  {
    name: 'execute_spec',
    run: (project, task) =>
      project.call('execute_spec', {
        spec: task.files.map((file) => `- ${wordsOn(file)}`).join('\n'),
      }),
    // What is required, the work, a judge of each requirement.
    least: (task) => [looking(report), reading(task), ...task.files.map(() => looking(report))],
    promised: { calls: 1.5, 'new tokens': 1.6 },
  },
  {
    name: 'pr_review',
    run: async (project) =>
      project.call('pr_review', { prTitle: 'Say what was looked at', prDiff: project.git('diff') }),
    // One reader, one who checks the one finding, and one who is asked for a test of it and says that none can show it.
    least: (task) => [looking(changes(task)), looking(changes(task)), looking(changes(task))],
    promised: { calls: 1.5 },
  },
  {
    name: 'run_dev_pipeline',
    run: (project, task) =>
      project.call('run_dev_pipeline', { task: `Mark in ${pathsOf(task)} that it was looked at.` }),
    // Reads, edits, reports; and one who reviews the diff.
    least: (task) => [{ ...reading(task), edits: changes(task) }, looking(changes(task))],
    promised: { calls: 1.5, 'new tokens': 1.5 },
  },
  {
    name: 'consensus_vote',
    run: (project, task) =>
      project.call('consensus_vote', { proposal: `Mark in ${pathsOf(task)} that it was looked at.` }),
    // Four views have a stake in any matter; each is asked once, and shown the files.
    least: (task) => Array.from({ length: 4 }, () => looking(task.files.map(({ text }) => text).join('\n'))),
  },
];

/** As that kind, with the proofs that its model writes: each is one more conversation, and one who judges it. */
function proving(
  name: string,
  more: Pick<Kind, 'least' | 'promised'> & Required<Pick<Kind, 'proofs'>>,
): Kind {
  const kind = WITHOUT_PROOF.find((each) => each.name === name);
  if (!kind) throw new Error(`there is no kind ${name}`);
  return { name: `${name} with proof`, run: kind.run, ...more };
}

/** One model reads, writes the test where it works on, and runs it; whoever sees it is one more. */
const WITH_PROOF: readonly Kind[] = [
  proving('orchestrate', {
    proofs: () => 1,
    least: (task) => [
      { ...reading(task), edits: tests(one(task)) },
      ...(task.files.length === 1 ? [] : [looking(report)]),
      looking(tests(one(task))),
    ],
    promised: { calls: 1.5, 'new tokens': 1.5 },
  }),
  proving('bug-fix', {
    proofs: () => 1,
    least: (task) => [
      { ...reading(task), edits: `${changes(task)}\n${tests(task.files)}` },
      looking(report),
      looking(`${tests(task.files)}\n${changes(task)}`),
    ],
    promised: { calls: 1.5, 'new tokens': 1.5 },
  }),
  proving('execute_spec', {
    proofs: ({ files }) => files.length,
    least: (task) => [
      looking(report),
      { ...reading(task), edits: task.files.map((file) => tests([file], 'line')).join('\n') },
      ...task.files.map(() => looking(report)),
      ...task.files.map((file) => looking(tests([file], 'line'))),
    ],
    promised: { calls: 1.5, 'new tokens': 1.6 },
  }),
  proving('pr_review', {
    proofs: () => 1,
    least: (task) => [
      looking(changes(task)),
      looking(changes(task)),
      { prompt: changes(task), reads: one(task), edits: tests(one(task), 'unmarked') },
      looking(tests(one(task), 'unmarked')),
    ],
    promised: { calls: 1.5 },
  }),
];

/** With and without a proof beside each other. */
export const kinds: readonly Kind[] = WITHOUT_PROOF.flatMap((kind) => [
  kind,
  ...WITH_PROOF.filter(({ name }) => name === `${kind.name} with proof`),
]);
