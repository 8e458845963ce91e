import { expect } from 'vitest';
import { runNexus } from '../harness/run-nexus.ts';
import { shareProject } from '../harness/shared-project.ts';
import { openTerminal } from '../harness/terminal.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

const SHOW_CURSOR = '\x1b[?25h';

slowlyVerifiesApp('command.bus', 'says how to begin where there is nothing to show', async () => {
  await using project = await shareProject();
  const workers = await runNexus(project, ['workers']);
  expect(workers).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('nexus call register_worker name='),
  });
  const tasks = await runNexus(project, ['tasks']);
  expect(tasks).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('nexus call submit_task title='),
  });
});

verifiesApp('command.bus', 'shows the bus of the running server, for people and for programs', async () => {
  await using project = await shareProject();
  const { session } = await project.host();
  await session.call('register_worker', { name: 'reviewer', capabilities: ['rust'] });
  const submitted = await session.call('submit_task', { title: 'Review \x1b[31mit', payload: { file: 'a' } });
  const { taskId } = submitted.result.structuredContent;
  await session.call('poll_task', { worker: 'reviewer' });
  await session.call('reserve_files', { worker: 'reviewer', globs: ['src/**'] });

  const workers = await runNexus(project, ['workers']);
  expect(workers.stdout).toMatch(new RegExp(String.raw`^reviewer +0 +${taskId} +\d+ s ago +rust$`, 'm'));
  expect(workers.stdout).toMatch(/^ {2}src\/\*\*, by reviewer$/m);
  expect(JSON.parse((await runNexus(project, ['workers', '--json'])).stdout)).toMatchObject({
    workers: { total: 1, items: [{ name: 'reviewer', capabilities: ['rust'], leases: [{ taskId }] }] },
    reservations: { total: 1 },
  });

  const tasks = await runNexus(project, ['tasks']);
  expect(tasks.stdout).toMatch(/^1 leased$/m);
  expect(tasks.stdout).toMatch(
    new RegExp(String.raw`^${taskId} +leased +2 +1/3 +\d+ s +reviewer +Review \\u001b\[31mit$`, 'm'),
  );
  expect(JSON.parse((await runNexus(project, ['tasks', '--json'])).stdout)).toMatchObject({
    counts: { leased: 1, done: 0 },
    total: 1,
    tasks: [{ taskId, status: 'leased', worker: 'reviewer' }],
  });
  // What needs somebody comes first, whatever is newest.
  for (const title of ['newer', 'newest']) {
    await session.call('submit_task', { title, payload: 1, capabilities: ['go'] });
  }
  const sorted = (await runNexus(project, ['tasks', '--limit', '2'])).stdout;
  expect(sorted).toMatch(/^1 leased, 2 queued\nNo worker can do go: 2 queued wait for one\.$/m);
  expect(sorted).toMatch(/ leased .*\n\S+ +queued .*newest\nand 1 more/);

  await session.call('register_worker', { name: 'writer' });
  await session.call('send_message', { from: 'writer', to: 'reviewer', body: 'stop', importance: 'urgent' });
  expect((await runNexus(project, ['workers'])).stdout).toMatch(/^reviewer +1 .*\nwriter +0/m);
  expect((await runNexus(project, ['inbox'])).stdout).toMatch(/^reviewer +1$/m);
  for (const _ of ['once', 'again']) {
    expect((await runNexus(project, ['inbox', 'reviewer'])).stdout).toMatch(/^writer +urgent +\d+ s +stop$/m);
  }
  expect((await runNexus(project, ['inbox', 'nobody'])).stderr).toContain('"nobody" is not registered');
  const one = await runNexus(project, ['tasks', taskId]);
  expect(JSON.parse(one.stdout)).toMatchObject({ taskId, payload: { file: 'a' } });
  expect((await runNexus(project, ['tasks', '--status', 'dead'])).stdout).toContain('No task is dead.');
});

slowlyVerifiesApp('command.bus', 'prints every row as JSON, unless it is told how many', async () => {
  await using project = await shareProject();
  const { session } = await project.host();
  const count = 210;
  for (let each = 0; each < count; each += 1) {
    await session.call('submit_task', { title: `task ${each}`, payload: null });
  }
  const rows = async (...args: string[]) => {
    const { tasks, total } = JSON.parse((await runNexus(project, ['tasks', '--json', ...args])).stdout);
    return { total, ids: new Set(tasks.map(({ taskId }: { taskId: string }) => taskId)).size };
  };
  expect(await rows()).toEqual({ total: count, ids: count });
  expect(await rows('--limit', '7')).toEqual({ total: count, ids: 7 });
});

slowlyVerifiesApp('command.bus', 'compares globs as the built app, too', async () => {
  await using project = await shareProject();
  const { session } = await project.host();
  const reserve = async (worker: string, globs: string[]) =>
    (await session.call('reserve_files', { worker, globs })).result.isError ?? false;
  for (const name of ['ann', 'bob']) await session.call('register_worker', { name });
  expect(await reserve('ann', ['src/*.ts'])).toBe(false);
  expect(await reserve('bob', ['src/*.js'])).toBe(false);
  expect(await reserve('bob', ['src/a*.ts'])).toBe(true);
});

verifiesApp('command.bus', 'says what is wrong with its arguments', async () => {
  await using project = await shareProject();
  const faults = [
    [['tasks', 'task_none'], /No task task_none: it never was.*`nexus tasks` lists them/],
    [['tasks', '--status', 'lost'], /--status must be one of .*dead/],
    [['workers', '--limit', '201'], /--limit .*200/],
  ] as const;
  for (const [args, message] of faults) {
    expect(await runNexus(project, args)).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringMatching(message),
    });
  }
});

slowlyVerifiesApp('command.bus', 'keeps a view up to date on a terminal until Ctrl-C', async () => {
  await using project = await shareProject();
  const first = await project.host();
  const { session } = await project.host();
  const tasks = openTerminal(project, ['tasks']);
  const workers = openTerminal(project, ['workers']);
  await tasks.shows('No tasks yet');
  await workers.shows('No worker has registered yet');
  await session.call('submit_task', { title: 'First of all', payload: {} });
  await tasks.shows('First of all');
  // The view outlives the server that it began with.
  first.child.kill('SIGKILL');
  await first.exit();
  await session.call('submit_task', { title: 'Second to none', payload: {} });
  await session.call('register_worker', { name: 'late-comer' });
  await tasks.shows('Second to none');
  await workers.shows('late-comer');
  for (const view of [tasks, workers]) {
    expect(view.shown()).not.toContain(SHOW_CURSOR);
    expect(await view.interrupt()).toBe(0);
    expect(view.shown()).toContain(SHOW_CURSOR);
  }
});
