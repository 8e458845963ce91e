import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Reply } from '@nexus/testing';
import { type AskedOnce, type AskedTeam, answerIn, askedTeam, hasToolResult } from './asked-team.ts';
import { type SharedProject, shareProject } from './shared-project.ts';

/** Who is asked in a pipeline, by the prompt that each has. */
export type PipelineRole =
  | 'researcher'
  | 'planner'
  | 'voter'
  | 'implementer'
  | 'prover'
  | 'reviewer'
  | 'analyst'
  | 'expert'
  | 'judge'
  | 'joint-judge'
  | 'cross-checker'
  | 'orchestrator'
  | 'writer'
  | 'step-reviewer'
  | 'code-reviewer'
  | 'claim-checker';

export const PIPELINE_STARTS: readonly (readonly [string, PipelineRole])[] = [
  ['You find out how a software project', 'researcher'],
  ['You plan a change of a software project', 'planner'],
  ['You are one voter of a panel', 'voter'],
  ['You change a software project', 'implementer'],
  ['You show by a test', 'prover'],
  ['You judge a change of a software project', 'reviewer'],
  ['You take a specification apart', 'analyst'],
  ['You judge whether one requirement is met', 'judge'],
  ['You judge of each of several requirements', 'joint-judge'],
  ['You see what several experts answered', 'cross-checker'],
  ['You are one expert of a team', 'expert'],
  ['You plan the work of a team', 'orchestrator'],
  ['You write the answer to a request', 'writer'],
  ['You review what an expert answered', 'step-reviewer'],
  ['You are one reviewer of a change', 'code-reviewer'],
  ['You check one claim', 'claim-checker'],
];

export type PipelineAsked = AskedOnce<PipelineRole>;

/** A team that does what each is asked, and mends the sum of {@link sumProject}; a script's replies come first. */
export function pipelineTeam(
  script: (request: PipelineAsked) => Reply | undefined = () => undefined,
): Promise<AskedTeam<PipelineRole>> {
  return askedTeam(PIPELINE_STARTS, (request) => script(request) ?? PIPELINE_REPLIES[request.asked](request));
}

const SUM_PLAN = {
  summary: 'The sum adds.',
  tasks: [{ title: 'Let sum add', description: 'sum.mjs subtracts; let it add.', files: ['sum.mjs'] }],
  risks: [],
  verification: 'The test passes.',
};

export const SUM_LINE = 'export const sum = (a, b) => a - b;';

const requirement = (id: string, quote: string, dependsOn: readonly string[] = []) => ({
  id,
  text: `TEXT-${id}`,
  quote,
  line: 1,
  role: 'code',
  dependsOn,
});

export const SPEC = '- Sums are exported.\n- Texts are refused.\n- All of it is told.\n';

export const PIPELINE_REPLIES: Readonly<Record<PipelineRole, (request: PipelineAsked) => Reply>> = {
  researcher: () => ({ text: 'RESEARCHED' }),
  planner: () => answerIn(SUM_PLAN),
  voter: () => answerIn({ reasoning: 'It is small.', decision: 'approve', confidence: 0.9 }),
  implementer: (request) =>
    hasToolResult(request)
      ? { text: 'It adds.' }
      : {
          text: 'I mend it.',
          tools: [{ name: 'edit_file', input: { path: 'sum.mjs', old: 'a - b', new: 'a + b' } }],
        },
  prover: () => ({ text: 'No test can show it.' }),
  reviewer: () => answerIn({ passes: true, summary: 'It adds.', findings: [] }),
  analyst: () =>
    answerIn({
      requirements: [
        requirement('exported', 'Sums are exported.'),
        requirement('refused', 'Texts are refused.'),
        requirement('told', 'All of it is told.', ['exported', 'refused']),
      ],
    }),
  expert: () => ({ text: `It is so.\n\n## Evidence\n- sum.mjs:1: ${SUM_LINE}` }),
  judge: () => answerIn({ isMet: true, reason: 'Shown.', restsOn: ['E1'] }),
  'joint-judge': ({ text }) => {
    const ids = [...text.matchAll(/Data from the requirement ([\w.-]{1,48});/g)].map(([, id]) => id);
    const verdicts = ids.map((requirement) => ({
      requirement,
      isMet: true,
      reason: 'Shown.',
      restsOn: ['E1'],
    }));
    return answerIn({ verdicts, contradictions: [] });
  },
  'cross-checker': () => answerIn({ contradictions: [] }),
  orchestrator: () =>
    answerIn({ steps: [{ id: 'look', expert: 'code', title: 'Look', task: 'Look at it.' }] }),
  writer: () => answerIn({ summary: 'It is so.', recommendations: [] }),
  'step-reviewer': () => answerIn({ passes: true, feedback: '' }),
  'code-reviewer': () => answerIn({ findings: [] }),
  'claim-checker': () => answerIn({ reasoning: 'It is so.', verdict: 'real' }),
};

const TEST = [
  "import assert from 'node:assert';",
  "import { sum } from './sum.mjs';",
  "assert.equal(sum(2, 3), 5, 'two and three are five');",
  '',
].join('\n');

/** A user's git repository with a failing test, and the command that runs it. */
export async function sumProject(
  team: AskedTeam,
  {
    config = {},
    env = {},
  }: { readonly config?: object; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<SharedProject> {
  const project = await shareProject({
    files: { 'sum.mjs': `${SUM_LINE}\n`, 'sum.test.mjs': TEST },
    config: { workflows: { commands: { test: [process.execPath, 'sum.test.mjs'] } }, ...config },
    env: { ...team.env, ...env },
  });
  git(project, 'init', '--quiet', '--initial-branch=main');
  git(project, 'add', '--all');
  git(project, '-c', 'user.name=User', '-c', 'user.email=u@localhost', 'commit', '--quiet', '-m', 'Begin');
  return project;
}

export function git({ root, env }: SharedProject, ...args: string[]): string {
  return execFileSync('git', args, { cwd: root, env, encoding: 'utf8' });
}

/** Every file that is the user's, by its content: those of git too, but for what is Nexus's own. */
export async function usersFiles({ root }: SharedProject): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const own = files.filter((file) => !NEXUS_OWN.test(file.slice(root.length + 1)));
  const digests = own.map(async (file) => [
    file,
    createHash('sha256')
      .update(await readFile(file))
      .digest('hex'),
  ]);
  return Object.fromEntries(await Promise.all(digests));
}

const NEXUS_OWN =
  /^\.git\/(objects\/|refs\/heads\/nexus\/|logs\/refs\/heads\/nexus\/|worktrees\/|packed-refs$|nexus-project-id$)/;
