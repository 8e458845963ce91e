import { expect, vi } from 'vitest';
import { killWhile, MAY_NOTE, type Moment, nameOf, PATIENCE } from '../harness/expert-kill.ts';
import { type Asked, type ExpertTeam, expertTeam, type TeamScript } from '../harness/expert-team.ts';
import { rowsOf, runOf } from '../harness/run-record.ts';
import { type SharedProject, shareProject } from '../harness/shared-project.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

const onSqlite = {
  project: ({ env }: { env: Readonly<Record<string, string>> }) =>
    shareProject({
      slowPlugin: true,
      config: MAY_NOTE,
      files: { 'src/login.ts': 'export function login() {}\n' },
      env,
    }),
  read: (project: SharedProject) => rowsOf(project),
};

/** One of each kind of step; the slow tests have every one, on each store and with each way to go on. */
const ALONE: readonly Moment[] = [{ asked: 'planner', count: 1 }, 'tool', { asked: 'writer', count: 1 }];
const BRIDGED: readonly Moment[] = [
  { asked: 'expert', count: 2 },
  { asked: 'reviewer', count: 3 },
];
/** Of these, what every check kills in. */
const [KILLED_IN_EVERY_CHECK] = BRIDGED;

for (const moment of BRIDGED) {
  const takesOver = async () => {
    await killWhile({
      ...onSqlite,
      moment,
      isBridge: true,
      next: (project) => project.host(),
      ask: ({ session }, runId) => session.call('resume_run', { runId }),
    });
  };
  if (moment === KILLED_IN_EVERY_CHECK) {
    verifiesApp(
      'experts.kill',
      `a bridge takes over when the server dies while ${nameOf(moment)}`,
      takesOver,
    );
  } else {
    slowlyVerifiesApp(
      'experts.kill',
      `a bridge takes over when the server dies while ${nameOf(moment)}`,
      takesOver,
    );
  }
}

for (const moment of ALONE) {
  slowlyVerifiesApp('experts.kill', `the next server goes on by itself after ${nameOf(moment)}`, async () => {
    let project: SharedProject | undefined;
    await killWhile({
      ...onSqlite,
      moment,
      isBridge: false,
      next(given) {
        project = given;
        return given.host();
      },
      async ask({ session }, runId) {
        const read = rowsOf(project as SharedProject);
        await vi.waitFor(
          async () => expect(await runOf(read, 'experts.orchestrate')).toMatchObject({ status: 'completed' }),
          PATIENCE,
        );
        return session.call('resume_run', { runId });
      },
    });
  });
}

slowlyVerifiesApp(
  'experts.kill',
  'a keyed call over a bridge is answered by the next server, once',
  async () => {
    await using team = await expertTeam(holdFirst('reviewer'));
    await using project = await onSqlite.project(team);
    const owner = await project.host();
    const bridge = await project.host();
    const call = bridge.session.call('orchestrate', { task: 'x', idempotencyKey: 'once' });
    await vi.waitFor(() => expect(team.asked.some(({ asked }) => asked === 'reviewer')).toBe(true), PATIENCE);
    owner.child.kill('SIGKILL');
    const { result } = await call;
    expect(result.structuredContent, JSON.stringify(result)).toMatchObject({ summary: 'Login is **safe**.' });
    await expectOneRun(project, team);
  },
);

slowlyVerifiesApp(
  'experts.kill',
  'a job of an orchestration ends with its answer at the next server',
  async () => {
    await using team = await expertTeam(holdFirst('expert'));
    await using project = await onSqlite.project(team);
    const first = await project.host();
    const started = await first.session.call('orchestrate', { task: 'x', dispatch: 'async' });
    const { jobId } = started.result.structuredContent;
    await vi.waitFor(() => expect(team.asked.some(({ asked }) => asked === 'expert')).toBe(true), PATIENCE);
    first.child.kill('SIGKILL');
    await first.exit();
    const { session } = await project.host();
    const { result } = await session.call('get_job_result', { jobId, waitMs: 50_000 });
    expect(result.structuredContent, JSON.stringify(result)).toMatchObject({ status: 'completed' });
    expect(JSON.stringify(result)).toContain('Login is **safe**.');
    await expectOneRun(project, team);
  },
);

/** The first request of this kind is never answered. */
function holdFirst(asked: Asked): TeamScript {
  return (request) => (request.asked === asked && request.count === 1 ? { hangs: true } : undefined);
}

/** The call that was made again took up what the first had begun. */
async function expectOneRun(project: SharedProject, team: ExpertTeam): Promise<void> {
  const read = rowsOf(project);
  const runs = await read(`select status from runs_runs where kind = 'experts.orchestrate'`);
  expect(runs).toEqual([{ status: 'completed' }]);
  expect(team.asked.filter(({ asked }) => asked === 'planner')).toHaveLength(1);
}
