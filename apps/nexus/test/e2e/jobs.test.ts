import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { makeProject, type Project } from '../harness/project.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { shareProject } from '../harness/shared-project.ts';
import { slowlyVerifiesApp, verifiesAnew, verifiesApp } from '../harness/verifies.ts';

const RELATED_TASK = 'io.modelcontextprotocol/related-task';
const TOO_LONG_MS = 600_000;

/** How often each job began. */
async function runs(project: Project): Promise<Record<string, number>> {
  const text = await readFile(join(project.dataDir, 'notes.txt'), 'utf8').catch(() => '');
  const lines = text.split('\n').filter(Boolean);
  return Object.fromEntries(
    [...new Set(lines)].map((line) => [line, lines.filter((each) => each === line).length]),
  );
}

const begun = (project: Project, note: string) =>
  vi.waitFor(async () => expect(await runs(project)).toHaveProperty(note), { timeout: 20_000 });

verifiesAnew('job.async', 'runs a call as a job that can be read, listed and ended', async (way) => {
  await using project = await makeProject({ slowPlugin: true });
  await using open = await way.open(project);
  const { session } = open;
  const start = async (note: string, ms: number) => {
    const { result } = await session.call('slow_job', { note, ms, dispatch: 'async' });
    expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
    expect(result.structuredContent).toMatchObject({ jobStatus: 'working' });
    return result.structuredContent.jobId as string;
  };
  const short = await start('short', 10);
  const done = await session.call('get_job_result', { jobId: short, waitMs: 30_000 });
  expect(done.result.structuredContent).toMatchObject({ status: 'completed', result: { note: 'short' } });
  const long = await start('long', TOO_LONG_MS);
  expect((await session.call('list_jobs', { status: 'working' })).result.structuredContent).toMatchObject({
    jobs: [{ jobId: long, tool: 'slow_job' }],
    total: 1,
  });
  const ended = await session.call('cancel_job', { jobId: long });
  expect(ended.result.structuredContent).toMatchObject({ status: 'cancelled' });
});

verifiesAnew('job.key', 'answers a repeated call from the record of the first', async (way) => {
  await using project = await makeProject({ slowPlugin: true });
  await using open = await way.open(project);
  const { session } = open;
  const args = { note: 'keyed', ms: 10, idempotencyKey: 'k' };
  const first = await session.call('slow_job_once', args);
  expect(first.result.structuredContent).toEqual({ note: 'keyed' });
  expect((await session.call('slow_job_once', args)).result).toEqual(first.result);
  expect(await runs(project)).toEqual({ keyed: 1 });
  const other = await session.call('slow_job_once', { ...args, ms: 11 });
  expect(other.result._meta['nexus/error'].code).toBe('NEXUS_CONFLICT');
});

verifiesAnew(
  'task.call',
  'runs a call as a task, and refuses one of a tool that offers none',
  async (way) => {
    await using project = await makeProject({ slowPlugin: true });
    await using open = await way.open(project);
    const { session } = open;
    const call = { name: 'slow_job', arguments: { note: 'task', ms: 10 } };
    const { task } = (await session.ask('tools/call', { ...call, task: { ttl: 60_000 } })).result;
    expect(task).toMatchObject({ status: 'working', ttl: 60_000 });
    const { taskId } = task;
    const { result } = await session.ask('tasks/result', { taskId });
    expect(result).toMatchObject({
      structuredContent: { note: 'task' },
      _meta: { [RELATED_TASK]: { taskId } },
    });
    expect((await session.ask('tasks/get', { taskId })).result).toMatchObject({
      taskId,
      status: 'completed',
    });
    expect((await session.ask('tasks/list')).result.tasks).toMatchObject([{ taskId }]);
    const refused = await session.call('slow_wait', { ms: 1 }, { task: {} });
    expect(refused.error?.code).toBe(-32601);
  },
);

verifiesApp(
  'job.restart',
  'keeps jobs and tasks when their connection and their server are killed',
  async () => {
    await using project = await shareProject({ slowPlugin: true });
    const owner = await project.host();
    const { session, child, exit } = await project.host();
    const keyed = { note: 'keyed', ms: 10, idempotencyKey: 'k' };
    const first = await session.call('slow_job_once', keyed);
    const task = async (name: string, note: string) => {
      const params = { name, arguments: { note, ms: 3_000 }, task: {} };
      const { result } = await session.ask('tools/call', params);
      await begun(project, note);
      return result.task.taskId as string;
    };
    const twice = await task('slow_job', 'twice');
    const once = await task('slow_job_once', 'once');
    child.kill('SIGKILL');
    owner.child.kill('SIGKILL');
    await Promise.all([exit(), owner.exit()]);

    const next = await project.host();
    const again = await next.session.ask('tasks/result', { taskId: twice });
    expect(again.result).toMatchObject({ structuredContent: { note: 'twice' } });
    const unknown = await next.session.ask('tasks/result', { taskId: once });
    expect(unknown.result._meta['nexus/error'].code).toBe('NEXUS_OUTCOME_UNKNOWN');
    expect((await next.session.call('slow_job_once', keyed)).result).toEqual(first.result);
    expect(await runs(project)).toEqual({ keyed: 1, twice: 2, once: 1 });
  },
);

slowlyVerifiesApp('job.restart', 'answers an open keyed call through the death of the server', async () => {
  await using project = await shareProject({ slowPlugin: true });
  const owner = await project.host();
  const { session } = await project.host();
  const args = { note: 'keyed', ms: 2_000, idempotencyKey: 'k' };
  const answer = session.call('slow_job_once', args);
  await begun(project, 'keyed');
  owner.child.kill('SIGKILL');
  await owner.exit();
  expect((await answer).result.structuredContent).toEqual({ note: 'keyed' });
  expect(await runs(project)).toEqual({ keyed: 2 });
});

slowlyVerifiesApp(
  'job.restart',
  'goes on with all that a dead server left, however few calls their session may have in flight',
  async () => {
    await using project = await shareProject({
      slowPlugin: true,
      config: { limits: { callsInFlight: 1, burst: 8, callsPerSecond: 0.1 } },
    });
    const owner = await project.host();
    const notes = ['one', 'two', 'three', 'four', 'five'];
    const jobIds: string[] = [];
    for (const note of notes) {
      const { result } = await owner.session.call('slow_job', { note, ms: 3_000, dispatch: 'async' });
      jobIds.push(result.structuredContent.jobId);
      await begun(project, note);
    }
    owner.child.kill('SIGKILL');
    await owner.exit();

    const { session } = await project.host();
    for (const [index, jobId] of jobIds.entries()) {
      const { result } = await session.call('get_job_result', { jobId, waitMs: 30_000 });
      expect(result.structuredContent).toMatchObject({
        status: 'completed',
        result: { note: notes[index] },
      });
    }
  },
);

slowlyVerifiesApp(
  'job.restart',
  'resumes a task after a stop in order, for who only knows its id',
  async () => {
    await using project = await shareProject({ slowPlugin: true });
    const first = await project.host();
    const params = { name: 'slow_job', arguments: { note: 'twice', ms: 2_000 }, task: {} };
    const { taskId } = (await first.session.ask('tools/call', params)).result.task;
    await begun(project, 'twice');
    first.child.kill('SIGTERM');
    await first.exit();
    const next = await project.host();
    const { result } = await next.session.ask('tasks/result', { taskId });
    expect(result).toMatchObject({ structuredContent: { note: 'twice' } });
    expect(await runs(project)).toEqual({ twice: 2 });
  },
);

verifiesApp('command.jobs', 'shows what runs, as a table and as JSON', async () => {
  await using project = await shareProject({ slowPlugin: true });
  expect(await runNexus(project, ['jobs'])).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('No jobs'),
  });
  const { session } = await project.host();
  const { result } = await session.call('slow_job', { note: 'long', ms: TOO_LONG_MS, dispatch: 'async' });
  const { jobId } = result.structuredContent;
  const table = await runNexus(project, ['jobs']);
  expect(table.stdout).toMatch(new RegExp(`${jobId} +working .*slow_job`));
  const json = await runNexus(project, ['jobs', '--json', '--status', 'working']);
  expect(JSON.parse(json.stdout)).toMatchObject({ jobs: [{ jobId, tool: 'slow_job' }], total: 1 });
});
