import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BusUnderTest, describeOnEach, startBus } from '../../test/bus-under-test.ts';

describeOnEach('submitted tasks', (place) => {
  let bus: BusUnderTest;
  beforeEach(async () => {
    bus = await startBus(place);
  });
  afterEach(() => bus.stop());

  const complete = async (worker?: string) =>
    bus.answer('complete_task', { leaseId: (await bus.lease(worker)).leaseId, result: null });
  const bury = async (reason: string) =>
    bus.answer('fail_task', { leaseId: (await bus.lease()).leaseId, reason, retry: false });
  const titles = async (worker?: string) => {
    const seen: string[] = [];
    for (let task = await bus.poll(worker); task; task = await bus.poll(worker)) seen.push(task.title);
    return seen;
  };

  it('come by priority, 0 first, and in the order of submission within one', async () => {
    for (const [title, priority] of Object.entries({ a: 4, b: 2, c: 0, d: 2, e: 1, f: 0 })) {
      await bus.submit({ title, priority });
    }
    expect(await titles()).toEqual(['c', 'f', 'e', 'b', 'd', 'a']);
  });

  it('go only to workers that have all of the capabilities', async () => {
    await bus.submit({ title: 'both', capabilities: ['rust', 'gpu'] });
    await bus.submit({ title: 'any' });
    await bus.answer('register_worker', { name: 'half', capabilities: ['rust'] });
    await bus.answer('register_worker', { name: 'full', capabilities: ['gpu', 'python', 'rust'] });
    expect(await titles('half')).toEqual(['any']);
    expect(await titles('full')).toEqual(['both']);
  });

  it('keep a worker’s capabilities when it registers again without naming any', async () => {
    await bus.answer('register_worker', { name: 'z.ai1', capabilities: ['rust'] });
    await bus.answer('register_worker', { name: 'z.ai1' });
    await bus.submit({ title: 'rusty', capabilities: ['rust'] });
    expect(await titles('z.ai1')).toEqual(['rusty']);
  });

  it('wait until everything that they depend on is done', async () => {
    const [first, second] = [await bus.submit({ title: 'first' }), await bus.submit({ title: 'second' })];
    const last = await bus.submit({ title: 'last', priority: 0, dependsOn: [first, second] });
    expect((await bus.status(last)).view).toMatchObject({ status: 'blocked' });
    await complete();
    expect((await bus.status(last)).detail.blockedBy).toEqual([{ taskId: second, status: 'queued' }]);
    const { leaseId } = await bus.lease();
    expect(await bus.poll()).toBeUndefined();
    await bus.answer('complete_task', { leaseId, result: null });
    expect(await bus.lease()).toMatchObject({ taskId: last });
  });

  it('counts what blocks a task beyond what is named', async () => {
    const dependsOn = [];
    for (let at = 0; at < 51; at += 1) dependsOn.push(await bus.submit());
    const { detail } = await bus.status(await bus.submit({ dependsOn }));
    expect(detail).toMatchObject({ blockedByTotal: 51 });
    expect(detail.blockedBy).toHaveLength(50);
  });

  it('stay blocked by a dead letter, which is named with its reason, until it is retried', async () => {
    const root = await bus.submit({ title: 'root' });
    const middle = await bus.submit({ title: 'middle', dependsOn: [root] });
    const leaf = await bus.submit({ title: 'leaf', dependsOn: [middle] });
    await bury('no such branch');
    expect(await bus.poll()).toBeUndefined();
    expect((await bus.status(leaf)).detail.blockedBy).toEqual([
      { taskId: root, status: 'dead', reason: 'no such branch' },
      { taskId: middle, status: 'blocked' },
    ]);
    expect(await bus.answer('bus_status')).toMatchObject({
      tasks: { blocked: 2, dead: 1 },
      deadLetters: { items: [{ taskId: root, blocks: 1 }] },
    });
    await bus.answer('retry_task', { taskId: root });
    expect(await titles()).toEqual(['root']);
  });

  it('are refused whole when they depend on a task that is not there', async () => {
    const known = await bus.submit();
    const { code, text } = await bus.refusal('submit_task', {
      title: 'orphan',
      payload: null,
      dependsOn: [known, 'task_none'],
    });
    expect(code).toBe('NEXUS_NOT_FOUND');
    expect(text).toContain('"task_none"');
    expect(await bus.answer('task_status')).toMatchObject({ total: 1 });
  });

  it('with a key are the same task again, and a conflict when they ask for something else', async () => {
    const request = {
      title: 'once',
      payload: { b: 1, a: [1, null] },
      capabilities: ['y', 'x'],
      idempotencyKey: 'deploy-7',
    };
    const first = await bus.answer('submit_task', request);
    const again = { ...request, payload: { a: [1, null], b: 1 }, capabilities: ['x', 'y', 'x'] };
    expect(await bus.answer('submit_task', again)).toEqual({ ...first, isDuplicate: true });
    const { code, text } = await bus.refusal('submit_task', { ...request, payload: 2, priority: 0 });
    expect(code).toBe('NEXUS_CONFLICT');
    expect(text).toContain('another payload, priority');
    expect(await bus.answer('task_status')).toMatchObject({ total: 1 });
  });

  it('with one key from many callers at once are one task', async () => {
    const request = { title: 'once', payload: 1, idempotencyKey: 'k' };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => bus.answer<{ taskId: string }>('submit_task', request)),
    );
    expect(new Set(answers.map((each) => each.taskId)).size).toBe(1);
  });

  it('carry any JSON, and say so when it is too much or missing', async () => {
    for (const payload of [null, 0, 'text', [1, [2]], { a: { b: null } }]) {
      const taskId = await bus.submit({ payload });
      expect((await bus.status(taskId)).detail.payload).toEqual(payload);
    }
    const long = await bus.submit({ payload: 'é'.repeat(900_000) });
    expect((await bus.status(long)).detail).toMatchObject({ payloadChars: 900_000 });
    const large = await bus.refusal('submit_task', { title: 'x', payload: 'x'.repeat(1_000_000) });
    expect(large).toMatchObject({ code: 'NEXUS_INVALID_ARGUMENTS' });
    expect(large.text).toContain('1000000 characters');
    expect((await bus.refusal('submit_task', { title: 'x' })).text).toContain('- payload: is missing');
  });

  it('are counted in full when the list is cut', async () => {
    for (const title of ['a', 'b', 'c']) await bus.submit({ title });
    await complete();
    const cut = await bus.answer('task_status', { limit: 1 });
    expect(cut).toMatchObject({ total: 3, tasks: [{ title: 'c' }] });
    expect(await bus.answer('task_status', { status: 'done' })).toMatchObject({
      total: 1,
      tasks: [{ title: 'a', status: 'done', worker: 'z.ai1' }],
    });
  });

  it('do not meet those of another bus on the same database', async () => {
    await bus.submit();
    const { dataDir } = bus.host;
    const other = await startBus({ ...place, dataDir });
    expect(await other.poll()).toBeUndefined();
    expect(await other.answer('bus_status')).toMatchObject({ tasks: { queued: 0 }, workers: { total: 1 } });
    await other.stop();
  });
});

describe('a worker', () => {
  let bus: BusUnderTest;
  beforeEach(async () => {
    bus = await startBus();
  });
  afterEach(() => bus.stop());

  it('that registers without a name is told which argument is missing and what it is', async () => {
    const { code, text } = await bus.refusal('register_worker', {});
    expect(code).toBe('NEXUS_INVALID_ARGUMENTS');
    expect(text).toContain('- name: is missing. The worker name (e.g., z.ai1)');
  });

  it.each(['', '-x', 'a b', 'ä', 'x'.repeat(65)])('can not be called %j', async (name) => {
    expect(await bus.refusal('register_worker', { name })).toMatchObject({ code: 'NEXUS_INVALID_ARGUMENTS' });
  });

  it('is registered by its first poll', async () => {
    await bus.poll('fresh');
    expect(await bus.answer('bus_status')).toMatchObject({
      workers: { total: 1, items: [{ name: 'fresh', capabilities: [] }] },
    });
  });

  it.each([
    ['reset_worker', { worker: 'z.ia1' }],
    ['send_message', { from: 'z.ai1', to: 'z.ia1', body: 'x' }],
  ])('that %s does not know is answered with the nearest name', async (tool, args) => {
    await bus.answer('register_worker', { name: 'z.ai1' });
    const { code, text } = await bus.refusal(tool, args);
    expect(code).toBe('NEXUS_NOT_FOUND');
    expect(text).toContain('Did you mean z.ai1?');
  });

  it.each([
    ['fetch_inbox', { worker: 'z.ia1' }],
    ['reserve_files', { worker: 'z.ia1', globs: ['a'] }],
    ['release_files', { worker: 'z.ia1' }],
    ['send_message', { from: 'z.ia1', to: 'z.ai1', body: 'x' }],
  ])('that %s is called by is proposed no name of another', async (tool, args) => {
    await bus.answer('register_worker', { name: 'z.ai1' });
    const { code, text } = await bus.refusal(tool, args);
    expect(code).toBe('NEXUS_NOT_FOUND');
    expect(text).toContain('"z.ia1" is not registered');
    expect(text).not.toContain('z.ai1');
  });

  it('says that no worker there is can do it', async () => {
    const request = { title: 'port', payload: null, capabilities: ['c', 'rust'] };
    await bus.answer('register_worker', { name: 'half', capabilities: ['rust'] });
    expect(await bus.answer('submit_task', request)).toMatchObject({
      status: 'queued',
      note: expect.stringContaining('No registered worker has all of c, rust'),
    });
    await bus.answer('register_worker', { name: 'whole', capabilities: ['rust', 'c', 'go'] });
    expect(await bus.answer('submit_task', request)).not.toHaveProperty('note');
    expect(await bus.answer('submit_task', { title: 'any', payload: null })).not.toHaveProperty('note');
  });

  it('are shown with what they wait for where that was given by another name, or in a wrong form', async () => {
    const task = { title: 'work', payload: null };
    const named = await bus.refusal('submit_task', { ...task, dependencies: ['task_1'] });
    expect(named.text).toContain('{"title":"work","payload":null,"dependsOn":["task_1"]}');
    const formed = await bus.refusal('submit_task', { ...task, dependsOn: { task: 1 } });
    expect(formed.text).toContain('"dependsOn":["<dependsOn>"]');
  });

  it('bring what their dependencies came to, each whole or by its beginning', async () => {
    const results = ['x'.repeat(6_000), 'y'.repeat(7_000), { small: true }];
    const dependsOn: string[] = [];
    for (const result of results) {
      dependsOn.push(await bus.submit({ title: 'part' }));
      await bus.answer('complete_task', { leaseId: (await bus.lease()).leaseId, result });
    }
    await bus.submit({ dependsOn });
    const { task } = await bus.answer<{ task: object }>('poll_task', { worker: 'z.ai1' });
    expect(task).toMatchObject({
      dependencies: [
        { taskId: dependsOn[0], title: 'part', result: results[0] },
        {
          taskId: dependsOn[1],
          title: 'part',
          resultChars: 7_000,
          resultStart: expect.stringMatching(/^yyy/),
        },
        { taskId: dependsOn[2], result: results[2] },
      ],
    });
  });

  it('are listed whole, each once, in as many answers as they take', async () => {
    const submitted: string[] = [];
    for (let each = 0; each < 120; each += 1) submitted.push(await bus.submit({ title: 't'.repeat(200) }));
    const listed: string[] = [];
    let pages = 0;
    for (let offset: number | undefined = 0; offset !== undefined; pages += 1) {
      const page: { tasks: { taskId: string }[]; total: number; nextOffset?: number } = await bus.answer(
        'task_status',
        { limit: 200, offset },
      );
      expect(2 * JSON.stringify(page).length).toBeLessThan(50_000);
      expect(page.total).toBe(120);
      listed.push(...page.tasks.map(({ taskId }) => taskId));
      offset = page.nextOffset;
    }
    expect(listed).toEqual([...submitted].reverse());
    expect(pages).toBeGreaterThan(1);
  });
});
