import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { ServerProcess } from '../harness/server-process.ts';
import { type SharedProject, shareProject } from '../harness/shared-project.ts';

const WORKERS = 5;
const TASKS = 40;
/** Each task waits for two of the row before it. */
const ROW = 5;
const LEASE_MS = 4_000;

/** What tools answer is checked against their schemas before it leaves. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads members that the next line asserts
type Answer = Record<string, any>;

/** An agent whose host may be killed: it goes on at another. */
async function makeAgent(project: SharedProject) {
  let host = await project.host();
  /** Of a call whose answer died: asked again where it may run again, else the error. */
  async function call(tool: string, args: Record<string, unknown>): Promise<Answer> {
    for (;;) {
      const at = host;
      try {
        const { result } = await at.session.call(tool, args);
        if (result._meta?.['nexus/error']?.code !== 'NEXUS_OUTCOME_UNKNOWN') return result;
      } catch (error) {
        if (at === host) throw error;
      }
    }
  }
  return {
    call,
    async ask(tool: string, args: Record<string, unknown> = {}): Promise<Answer> {
      const result = await call(tool, args);
      if (result.isError) throw new Error(`${tool}: ${result.content[0].text}`);
      return result.structuredContent;
    },
    isAt: (server: ServerProcess) => server === host,
    async killHost() {
      const before = host;
      host = await project.host();
      before.child.kill('SIGKILL');
      await before.exit();
    },
  };
}

type Agent = Awaited<ReturnType<typeof makeAgent>>;

/** A worker that is done when its lease has run out, and another session that polls under its name. */
async function comesLate(lead: Agent, [one, other]: readonly Agent[]) {
  if (!one || !other) throw new Error('two workers are needed');
  const { taskId } = await lead.ask('submit_task', {
    ...{ title: 'slow', payload: null, label: 'slow', capabilities: ['@w0'], timeoutMs: 500, maxAttempts: 2 },
  });
  const { task, ...first } = await one.ask('poll_task', { worker: 'w0' });
  expect(first).not.toHaveProperty('note');
  expect(await other.ask('poll_task', { worker: 'w0' })).toMatchObject({
    task: null,
    note: expect.stringContaining('Another session polls as "w0"'),
  });
  const statusOf = async () => (await lead.ask('task_status', { taskId })).tasks[0].status;
  while ((await statusOf()) !== 'expired') await sleep(50);
  const done = await one.ask('complete_task', { leaseId: task.leaseId, result: { by: 'w0' } });
  expect(done).toMatchObject({ late: true });
  expect(await statusOf()).toBe('done');
}

it(`forty dependent tasks are done once each by ${WORKERS} workers, with all that goes wrong`, async () => {
  await using project = await shareProject();
  const agents: Agent[] = [];
  for (let at = 0; at <= WORKERS; at += 1) agents.push(await makeAgent(project));
  const [lead, ...workers] = agents as [Agent, ...Agent[]];
  const killOwner = async () => {
    const owner = await project.owner();
    await agents.find((agent) => agent.isAt(owner))?.killHost();
  };

  await lead.ask('register_worker', { name: 'lead' });
  for (const at of workers.keys()) {
    await lead.ask('register_worker', { name: `w${at}`, maxTasks: 2, capabilities: ['team'] });
  }
  await comesLate(lead, workers);
  const ids: string[] = [];
  const needs = new Map<string, readonly string[]>();
  for (let at = 0; at < TASKS; at += 1) {
    const row = ids.slice(Math.floor(at / ROW) * ROW - ROW, Math.floor(at / ROW) * ROW);
    const dependsOn = row.length === 0 ? [] : row.slice(at % (ROW - 1), (at % (ROW - 1)) + 2);
    const { taskId } = await lead.ask('submit_task', {
      ...{ title: `part ${at}`, payload: { at }, label: `v2/${at % 2 === 0 ? 'code' : 'docs'}`, dependsOn },
      ...{ capabilities: ['team'], timeoutMs: LEASE_MS, maxAttempts: 20, idempotencyKey: `part ${at}` },
    });
    ids.push(taskId);
    needs.set(taskId, dependsOn);
  }
  await lead.ask('update_task', { taskId: ids[ROW - 1], priority: 0, note: 'this one first' });

  const say = (body: string) =>
    lead.ask('send_message', { from: 'lead', to: '*team', body, ackRequired: true });
  /** What goes wrong once, at the task that is taken as the n-th. @returns whether its worker goes on with it */
  const faults = new Map<number, (self: Agent, task: Answer, name: string) => Promise<boolean>>([
    [3, async (self, { leaseId }) => !(await self.ask('fail_task', { leaseId, reason: 'no compiler' }))],
    [
      6,
      async (self, { leaseId }, name) => {
        await self.ask('heartbeat_task', { leaseId, progress: { half: true } });
        await self.ask('fail_task', { leaseId, reason: 'not mine', to: name === 'w0' ? 'w1' : 'w0' });
        return false;
      },
    ],
    // It says nothing more: the lease runs out.
    [9, async () => false],
    [
      12,
      async (self, { taskId, leaseId }) => {
        await lead.ask('task_status', { taskId });
        await lead.ask('update_task', { taskId, cancel: 'a mistake' });
        const { content } = await self.call('complete_task', { leaseId, result: 'too late' });
        expect(content[0].text).toContain('cancelled (a mistake)');
        await lead.ask('retry_task', { taskId });
        return false;
      },
    ],
    [
      15,
      async (_self, _task, name) => {
        await lead.ask('bus_status', { limit: 200 });
        return !(await lead.ask('reset_worker', { worker: name }));
      },
    ],
    // Hosts and servers die with tasks in hand.
    [18, (self) => self.killHost().then(() => true)],
    [
      24,
      async () => {
        await say('a server dies');
        await killOwner();
        return true;
      },
    ],
    [
      30,
      async () => {
        await killOwner();
        await say('another one did');
        return true;
      },
    ],
  ]);
  const worked = new Set<string>();
  const completed: string[] = [];
  let taken = 0;
  let isOver = false;

  async function work(self: Agent, name: string): Promise<Set<string>> {
    const read = new Set<string>();
    while (!isOver) {
      const { task, unread } = await self.ask('poll_task', { worker: name, waitMs: 300 });
      if (unread > 0) {
        const { messages } = await self.ask('fetch_inbox', { worker: name });
        for (const { body } of messages) read.add(body);
        await self.ask('fetch_inbox', {
          worker: name,
          ack: messages.map(({ messageId }: Answer) => messageId),
        });
      }
      if (!task) continue;
      worked.add(task.taskId);
      // What it was to wait for is done, and came with it.
      const before: Answer[] = task.dependencies ?? [];
      expect(before.map(({ taskId }) => taskId).sort()).toEqual([...(needs.get(task.taskId) ?? [])].sort());
      for (const { result } of before) expect(result.by).toMatch(/^w\d$/);
      if (task.taskId === ids[ROW - 1]) expect(task.notes[0].text).toBe('this one first');
      taken += 1;
      const fault = faults.get(taken);
      faults.delete(taken);
      if (fault && !(await fault(self, task, name))) continue;
      const result = await self.call('complete_task', { leaseId: task.leaseId, result: { by: name } });
      if (!result.isError) completed.push(task.taskId);
      // Its session or its server died, and another has it.
      else expect(result._meta['nexus/error'].code).toBe('NEXUS_CONFLICT');
    }
    return read;
  }

  const working = workers.map((self, at) => work(self, `w${at}`));
  const failed = Promise.all(working);
  const everything = async () => {
    for (;;) {
      const { tasks, total } = await lead.ask('task_status', { label: 'v2', waitMs: 50_000, limit: 200 });
      expect(total).toBe(TASKS);
      if (tasks.every(({ status }: Answer) => status === 'done')) return;
    }
  };
  await Promise.race([everything(), failed]);
  isOver = true;
  const read = await failed;

  expect([...faults.keys()]).toEqual([]);
  expect(worked).toEqual(new Set(ids));
  expect([...completed].sort()).toEqual([...ids].sort());
  const { tasks } = await lead.ask('bus_status');
  expect(tasks).toMatchObject({ done: TASKS + 1, dead: 0, cancelled: 0, leased: 0, queued: 0 });
  // Each message reached each worker, whatever died in between.
  for (const [at, seen] of read.entries()) {
    const { messages } = await lead.ask('fetch_inbox', { worker: `w${at}` });
    for (const { body } of messages) seen.add(body);
    expect([...seen].sort()).toEqual(['a server dies', 'another one did']);
  }
});
