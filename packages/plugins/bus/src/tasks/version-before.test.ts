import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BusUnderTest, describeOnEach, startBus } from '../../test/bus-under-test.ts';
import { type Bus, busOptions, createBus } from '../bus.ts';

/** A server of the version before writes the same tables, and knows nothing of `needs` and `blocked_on`. */
describeOnEach('beside a server of the version before', (place) => {
  let plugin: BusUnderTest;
  let bus: Bus;
  beforeEach(async () => {
    const options = { name: randomUUID(), lookAgainMs: 10 };
    plugin = await startBus({ ...place, options });
    bus = await createBus(busOptions.parse(options), plugin.host).open();
  });
  afterEach(() => plugin.stop());

  async function submitAsBefore(
    id: string,
    { needs = [], after = [] }: { needs?: string[]; after?: string[] },
  ) {
    await bus.db
      .insertInto('bus_tasks')
      .values({
        ...{ bus: bus.name, id, title: id, payload: 'null', priority: 2, status: 'queued' },
        ...{ attempts: 0, max_attempts: 3, timeout_ms: 300_000, available_at: 0, created_at: 0 },
      })
      .execute();
    const skills = needs.map((capability) => ({ task_id: id, capability }));
    if (skills.length > 0) await bus.db.insertInto('bus_task_capabilities').values(skills).execute();
    const links = after.map((depends_on) => ({ task_id: id, depends_on }));
    if (links.length > 0) await bus.db.insertInto('bus_task_dependencies').values(links).execute();
  }
  const finishAsBefore = (id: string) =>
    bus.db.updateTable('bus_tasks').set({ status: 'done' }).where('id', '=', id).execute();

  it('tasks go to whom they are for, once what they wait for is done', async () => {
    const [first, second, third] = ['a', 'b', 'c'].map((each) => `task_${each}${randomUUID()}`) as [
      string,
      string,
      string,
    ];
    await submitAsBefore(first, { needs: ['rust', 'c'] });
    await submitAsBefore(second, { after: [first] });
    const own = await plugin.submit({ dependsOn: [first] });
    await submitAsBefore(third, { after: [second, own] });
    expect(await plugin.poll('plain')).toBeUndefined();
    await plugin.answer('register_worker', { name: 'crab', capabilities: ['c', 'rust', 'go'] });
    expect(await plugin.lease('crab')).toMatchObject({ taskId: first });
    await finishAsBefore(first);
    const took = async () => {
      let task: Awaited<ReturnType<typeof plugin.poll>>;
      while (!task) task = await plugin.poll('plain');
      return task;
    };
    const [x, y] = [await took(), await took()];
    expect([x.taskId, y.taskId].sort()).toEqual([second, own].sort());
    expect(await plugin.poll('plain')).toBeUndefined();
    for (const { leaseId } of [x, y]) await plugin.answer('complete_task', { leaseId, result: null });
    expect(await plugin.lease('plain')).toMatchObject({ taskId: third });
  });

  it('nothing is on record in words that it does not know', async () => {
    await plugin.answer('register_worker', { name: 'z.ai2' });
    const handed = await plugin.submit();
    const { leaseId } = await plugin.lease();
    await plugin.answer('fail_task', { leaseId, reason: 'yours', to: 'z.ai2' });
    await plugin.lease('z.ai2');
    for (const taskId of [handed, await plugin.submit()]) {
      await plugin.answer('update_task', { taskId, cancel: 'no more' });
    }
    const tasks = await bus.db.selectFrom('bus_tasks').select('status').where('bus', '=', bus.name).execute();
    expect(tasks.map(({ status }) => status)).toEqual(['dead', 'dead']);
    const attempts = await bus.db
      .selectFrom('bus_attempts')
      .select('outcome')
      .where('task_id', '=', handed)
      .orderBy('started_at')
      .execute();
    expect(attempts.map(({ outcome }) => outcome).sort()).toEqual(['released', 'reset']);
    const { detail } = await plugin.status(handed);
    expect(detail.attempts).toMatchObject([{ outcome: 'handed' }, { outcome: 'cancelled' }]);
    expect(await plugin.answer('bus_status')).toMatchObject({
      tasks: { cancelled: 2, dead: 0 },
      deadLetters: { total: 0 },
    });
  });
});
