import { expect, it } from 'vitest';
import { describeOnEach, startBus } from '../test/bus-under-test.ts';

describeOnEach('a worker of a user', (place) => {
  it('is taken by nobody else: no call under its name or with its lease is another user’s', async () => {
    const bus = await startBus(place);
    const as = (user: string | undefined) => async (name: string, args: Record<string, unknown>) => {
      const result = await bus.call(name, args, user === undefined ? {} : { user });
      const { code } = (result._meta?.['nexus/error'] ?? {}) as { code?: string };
      return result.isError ? code : (result.structuredContent as Record<string, unknown>);
    };
    const [alice, bob, own] = [as('alice'), as('bob'), as(undefined)];
    await alice('register_worker', { name: 'hers', capabilities: ['rust'] });
    await bob('register_worker', { name: 'his' });
    await own('register_worker', { name: 'servers' });
    await bob('send_message', { from: 'his', to: 'hers', body: 'for her alone' });
    await alice('reserve_files', { worker: 'hers', globs: ['src/**'] });
    const taskId = await bus.submit();
    const polled = (await alice('poll_task', { worker: 'hers' })) as { task: { leaseId: string } };
    const { leaseId } = polled.task;

    for (const worker of ['hers', 'servers']) {
      const calls: readonly [string, Record<string, unknown>][] = [
        ['register_worker', { name: worker, capabilities: ['go'] }],
        ['poll_task', { worker }],
        ['fetch_inbox', { worker }],
        ['fetch_inbox', { worker, view: 'all' }],
        ['send_message', { from: worker, to: 'his', body: 'as another' }],
        ['reserve_files', { worker, globs: ['docs/**'] }],
        ['release_files', { worker }],
        ['reset_worker', { worker }],
        ['reset_worker', { worker, unregister: true }],
      ];
      for (const [name, args] of calls) {
        expect([name, worker, await bob(name, args)]).toEqual([name, worker, 'NEXUS_CONFLICT']);
      }
    }
    const withLease = (more = {}) => ({ leaseId, ...more });
    expect(await bob('ack_task', withLease())).toBe('NEXUS_NOT_FOUND');
    expect(await bob('heartbeat_task', withLease())).toBe('NEXUS_NOT_FOUND');
    expect(await bob('complete_task', withLease({ result: 'his' }))).toBe('NEXUS_NOT_FOUND');
    expect(await bob('fail_task', withLease({ reason: 'his' }))).toBe('NEXUS_NOT_FOUND');

    // All stands as it did, and she goes on.
    const { workers, reservations } = await bus.answer<{
      workers: { items: { name: string; capabilities: string[]; unread: number }[] };
      reservations: { items: { worker: string; glob: string }[] };
    }>('bus_status');
    expect(workers.items.find(({ name }) => name === 'hers')).toMatchObject({
      capabilities: ['rust'],
      unread: 1,
      leases: [{ taskId }],
    });
    expect(reservations.items).toMatchObject([{ worker: 'hers', glob: 'src/**' }]);
    expect(await alice('register_worker', { name: 'hers', capabilities: ['c'] })).toMatchObject({
      capabilities: ['c'],
    });
    expect(await alice('complete_task', withLease({ result: 'hers' }))).toMatchObject({ taskId });
    // A lease that is over is still nobody else's: what it ended with is no answer for him.
    expect(await bob('complete_task', withLease({ result: 'hers' }))).toBe('NEXUS_NOT_FOUND');
    // The server's own user may act as everybody, and leaves the worker whose it is.
    expect(await own('fetch_inbox', { worker: 'hers' })).toMatchObject({ total: 1 });
    expect(await own('reset_worker', { worker: 'hers', unregister: true })).toMatchObject({
      releasedGlobs: ['src/**'],
      unregistered: true,
    });
    expect(await bob('register_worker', { name: 'hers' })).toMatchObject({ name: 'hers' });
    await bus.stop();
  });
});
