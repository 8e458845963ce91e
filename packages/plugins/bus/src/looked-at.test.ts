import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BusUnderTest, describeOnEach, startBus } from '../test/bus-under-test.ts';

describeOnEach('what others work on', (place) => {
  let bus: BusUnderTest;
  beforeEach(async () => {
    bus = await startBus(place);
  });
  afterEach(() => bus.stop());

  /** A call by a session that has seen nothing yet. */
  const asked = (sessionId: string) => (name: string, args: object) =>
    bus.call(name, args as Record<string, unknown>, { sessionId });
  const code = ({ _meta }: { _meta?: Readonly<Record<string, unknown>> | undefined }) =>
    (_meta?.['nexus/error'] as { code?: string } | undefined)?.code;

  describe.each([
    ['bus_status', {}],
    ['task_status', {}],
  ])('is ended once %s has shown it', (look, args) => {
    it('to the session that does', async () => {
      const taskId = await bus.submit();
      await bus.lease('ann');
      const other = asked('other');
      expect(code(await other('reset_worker', { worker: 'ann' }))).toBe('NEXUS_PREREQUISITE');
      expect(code(await other('update_task', { taskId, cancel: 'no more' }))).toBe('NEXUS_PREREQUISITE');
      // What ends nothing needs no look.
      expect(code(await other('update_task', { taskId, note: 'mind the gap' }))).toBeUndefined();
      await asked('a third')(look, args);
      expect(code(await other('reset_worker', { worker: 'ann' }))).toBe('NEXUS_PREREQUISITE');
      await other(look, args);
      expect(code(await other('reset_worker', { worker: 'ann' }))).toBeUndefined();
      expect(code(await other('update_task', { taskId, cancel: 'no more' }))).toBeUndefined();
    });
  });

  it('is shown by the log of its task, too', async () => {
    const taskId = await bus.submit();
    await bus.lease('ann');
    const other = asked('other');
    await other('query_task_state', { taskId });
    expect(code(await other('reset_worker', { worker: 'ann' }))).toBeUndefined();
    expect(code(await other('update_task', { taskId, cancel: 'no more' }))).toBeUndefined();
  });

  it('is a session’s own to end where it registered, polls, or submitted', async () => {
    const own = asked('own');
    await own('register_worker', { name: 'ann' });
    expect(code(await own('reset_worker', { worker: 'ann' }))).toBeUndefined();
    const { structuredContent } = await own('submit_task', { title: 'work', payload: null });
    const { taskId } = structuredContent as { taskId: string };
    const worker = asked('worker');
    await worker('poll_task', { worker: 'ben' });
    expect(code(await worker('update_task', { taskId, cancel: 'no more' }))).toBeUndefined();
    expect(code(await worker('reset_worker', { worker: 'ben' }))).toBeUndefined();
    const again = await own('submit_task', { title: 'more work', payload: null });
    const { taskId: ofOwn } = again.structuredContent as { taskId: string };
    expect(code(await own('update_task', { taskId: ofOwn, cancel: 'no more' }))).toBeUndefined();
  });

  it('that is not there needs no look to be told so', async () => {
    const other = asked('other');
    expect(code(await other('reset_worker', { worker: 'nobody' }))).toBe('NEXUS_NOT_FOUND');
    expect(code(await other('reset_worker', { worker: 'nobody', unregister: true }))).toBeUndefined();
    expect(code(await other('update_task', { taskId: 'task_none', cancel: 'x' }))).toBe('NEXUS_NOT_FOUND');
  });
});
