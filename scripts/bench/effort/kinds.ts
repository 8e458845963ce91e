import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { OpenProject } from '../../quality/ways/project.ts';
import { bin } from '../subjects.ts';
import type { LeastTalk } from './least.ts';
import { wordsOn } from './scripted-team.ts';
import type { Task } from './tasks.ts';

/** New tokens are held against the least of all tokens: what is told once need not be told again. */
export type Promised = Readonly<Partial<Record<'calls' | 'tokens' | 'new tokens', number>>>;

/** One kind of work, and what it would need at least. */
export interface Kind {
  readonly name: string;
  run(project: OpenProject, task: Task): Promise<unknown>;
  /** The conversations of one model that has the reading kit and does the same with as few calls as can be. */
  least(task: Task): readonly LeastTalk[];
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

export const kinds: readonly Kind[] = [
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
    // One reader, and one who checks the one finding.
    least: (task) => [looking(changes(task)), looking(changes(task))],
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
