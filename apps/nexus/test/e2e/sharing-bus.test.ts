import { expect } from 'vitest';
import type { ServerProcess } from '../harness/server-process.ts';
import { shareProject } from '../harness/shared-project.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

const WORKERS = 8;
const TASKS = 120;
/** Short, so that a task whose worker never heard that it got it is soon back. */
const LEASE_MS = 1_500;

/** Polls and completes until nothing is left to do; the ids of what it was told that it completed. */
async function work({ session }: ServerProcess, worker: string, isOver: () => boolean): Promise<string[]> {
  const completed: string[] = [];
  while (!isOver()) {
    const polled = await session.call('poll_task', { worker, waitMs: 100 });
    // The answer died with the server; a task that it may have named comes back after its lease.
    if (polled.result.isError) {
      expect(polled.result._meta['nexus/error'].code).toBe('NEXUS_OUTCOME_UNKNOWN');
      continue;
    }
    const { task } = polled.result.structuredContent;
    if (!task) continue;
    const done = await session.call('complete_task', { leaseId: task.leaseId, result: { by: worker } });
    if (!done.result.isError) completed.push(done.result.structuredContent.taskId);
  }
  return completed;
}

verifiesApp('sharing.bus', 'loses no task when the server dies with workers at work', async () => {
  await using project = await shareProject();
  const owner = await project.host();
  const hosts = await Promise.all(Array.from({ length: WORKERS }, () => project.host()));
  const [{ session }] = hosts as [ServerProcess];
  for (let task = 0; task < TASKS; task += 1) {
    const args = { title: `task ${task}`, payload: { task }, timeoutMs: LEASE_MS, maxAttempts: 5 };
    expect((await session.call('submit_task', args)).result.isError).toBeUndefined();
  }
  const counts = async () => (await session.call('bus_status')).result.structuredContent.tasks;

  let isOver = false;
  const working = hosts.map((host, at) => work(host, `worker-${at}`, () => isOver));
  while ((await counts()).done < TASKS / 4) await session.ask('ping');
  owner.child.kill('SIGKILL');
  await owner.exit();
  while ((await counts()).done < TASKS) await session.ask('ping');
  isOver = true;

  const completed = (await Promise.all(working)).flat();
  expect(new Set(completed).size).toBe(completed.length);
  expect(completed).toHaveLength(TASKS);
  expect(await counts()).toMatchObject({ done: TASKS, queued: 0, leased: 0, expired: 0, dead: 0 });
  expect(hosts).toContain(await project.owner());
});

slowlyVerifiesApp(
  'sharing.bus',
  'says which argument of register_worker is missing, and what it is',
  async () => {
    await using project = await shareProject();
    await project.host();
    const { session } = await project.host();
    const { result } = await session.call('register_worker');
    expect(result.isError).toBe(true);
    expect(result._meta['nexus/error'].code).toBe('NEXUS_INVALID_ARGUMENTS');
    expect(result.content[0].text).toMatch(/name: .*The worker name \(e\.g\., z\.ai1\)/);
  },
);

verifiesApp(
  'sharing.lease-holders',
  'a lease is ended by its holder alone, wherever that is by then',
  async () => {
    await using project = await shareProject();
    const owner = await project.host();
    const [{ session: ann }, { session: ben }] = [await project.host(), await project.host()];
    const take = async (worker: string, more = {}) => {
      await ben.call('submit_task', { title: 'work', payload: null });
      const { result } = await ann.call('poll_task', { worker, ...more });
      return result.structuredContent.task.leaseId as string;
    };
    const complete = async ({ call }: typeof ann, leaseId: string) =>
      (await call('complete_task', { leaseId, result: 1 })).result;
    await ben.call('register_worker', { name: 'ben' });
    const leaseId = await take('ann');
    const refused = await complete(ben, leaseId);
    expect(refused._meta['nexus/error']).toMatchObject({ code: 'NEXUS_CONFLICT', detail: { holder: 'ann' } });
    owner.child.kill('SIGKILL');
    await owner.exit();
    expect((await complete(ben, leaseId)).isError).toBe(true);
    expect((await complete(ann, leaseId)).structuredContent).toMatchObject({ status: 'done' });

    const kept = await take('ann', { outlivesSession: true });
    const { session: again } = await project.host();
    expect((await complete(again, kept)).content[0].text).toContain('call register_worker with that name');
    await again.call('register_worker', { name: 'ann' });
    expect((await complete(again, kept)).structuredContent).toMatchObject({ status: 'done' });
  },
);

verifiesApp('sharing.inbox', 'tells who subscribed of a message that another host sent', async () => {
  await using project = await shareProject();
  const [{ session: ann }, { session: ben }] = [await project.host(), await project.host()];
  const uri = 'nexus://inbox/ann';
  const early = await ann.ask('resources/subscribe', { uri });
  expect(early.error?.message).toContain('register_worker');
  await ann.call('register_worker', { name: 'ann' });
  await ben.call('register_worker', { name: 'ben' });
  await ann.ask('resources/subscribe', { uri });
  await ben.call('send_message', { from: 'ben', to: 'ann', body: 'look at this' });
  await ann.waitFor(
    ({ method, params }) => method === 'notifications/resources/updated' && params.uri === uri,
  );
  const { result } = await ann.ask('resources/read', { uri });
  expect(JSON.parse(result.contents[0].text)).toMatchObject({
    total: 1,
    messages: [{ from: 'ben', body: 'look at this' }],
  });
});

/** Polls until it gets a task. */
async function nextTask({ session }: ServerProcess, worker: string): Promise<string> {
  for (;;) {
    const { result } = await session.call('poll_task', { worker, waitMs: 5_000 });
    if (result.structuredContent?.task) return result.structuredContent.task.taskId;
  }
}

verifiesApp('sharing.holds', 'a killed server takes its own host’s work along, and no other’s', async () => {
  await using project = await shareProject({ config: { bus: { lookAgainMs: 100 } } });
  const owner = await project.host();
  const stays = await project.host();
  const takes = await project.host();
  const take = async ({ session }: ServerProcess, worker: string) => {
    const { result } = await session.call('submit_task', { title: worker, payload: null });
    expect(await nextTask({ session } as ServerProcess, worker)).toBe(result.structuredContent.taskId);
    const reserved = await session.call('reserve_files', { worker, globs: [`${worker}/**`] });
    expect(reserved.result.isError).toBeUndefined();
    return result.structuredContent.taskId;
  };
  const gone = await take(owner, 'gone');
  const kept = await take(stays, 'kept');
  const held = async () => {
    const { result } = await takes.session.call('bus_status');
    const { reservations, workers } = result.structuredContent;
    return {
      reserved: reservations.items.map(({ worker }: { worker: string }) => worker).sort(),
      leased: workers.items.filter(({ leases }: { leases: object[] }) => leases.length > 0).length,
    };
  };
  expect(await held()).toEqual({ reserved: ['gone', 'kept'], leased: 2 });
  owner.child.kill('SIGKILL');
  await owner.exit();
  // It comes back by itself, long before its lease ends, and calls nothing of the bus meanwhile.
  expect(await nextTask(takes, 'next')).toBe(gone);
  expect((await takes.session.call('poll_task', { worker: 'next' })).result.structuredContent.task).toBe(
    null,
  );
  expect(await held()).toEqual({ reserved: ['kept'], leased: 2 });
  const { result } = await stays.session.call('task_status', { taskId: kept });
  expect(result.structuredContent.tasks[0]).toMatchObject({ worker: 'kept', leaseId: expect.any(String) });
  // At the next server it ends with its host as at the first one.
  await stays[Symbol.asyncDispose]();
  expect(await nextTask(takes, 'next')).toBe(kept);
  expect(await held()).toEqual({ reserved: [], leased: 1 });
});

verifiesApp('answers.whole', 'what a task waited for is read to its end, however long it is', async () => {
  await using project = await shareProject();
  const { session } = await project.host();
  const answer = async (tool: string, args: object) => (await session.call(tool, { ...args })).result;
  const submit = async (task: object) =>
    (await answer('submit_task', { title: 'part', payload: null, ...task })).structuredContent.taskId;
  const poll = async () => (await answer('poll_task', { worker: 'ann' })).structuredContent.task;
  const result = Array.from({ length: 30_000 }, (_, at) => `${at};`).join('');
  const dependsOn = [await submit({})];
  await answer('complete_task', { leaseId: (await poll()).leaseId, result });
  await submit({ dependsOn });
  const [{ resultChars, resultStart, resultUri }] = (await poll()).dependencies;
  expect(resultChars).toBe(result.length);
  expect(result.startsWith(resultStart)).toBe(true);
  let whole = '';
  for (let offset: string | undefined = '0'; offset !== undefined; ) {
    const { content } = await answer('read_result', { uri: resultUri, offset: Number(offset) });
    const texts: string[] = content.map(({ text }: { text: string }) => text);
    whole += texts.at(-1);
    offset = /Go on with offset (\d+)/.exec(texts[0] ?? '')?.[1];
  }
  expect(whole).toBe(result);
});
