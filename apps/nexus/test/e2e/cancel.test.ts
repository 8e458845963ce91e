import { expect } from 'vitest';
import { endlessSearch, makeEndlessProject, ripgrepGone, ripgrepRuns } from '../harness/endless-search.ts';
import { sharedServer } from '../harness/shared-server.ts';
import { verifies, verifiesAnew } from '../harness/verifies.ts';

const shared = sharedServer({ slowPlugin: true });

verifiesAnew('cancel.stops', 'ends ripgrep with the call that started it', async (way) => {
  await using project = await makeEndlessProject();
  await using server = await way.open(project);
  const { session } = server;
  session.send({ jsonrpc: '2.0', id: 'endless', method: 'tools/call', params: endlessSearch });
  await ripgrepRuns(server.pid);
  session.notify('notifications/cancelled', { requestId: 'endless', reason: 'not needed any more' });
  await ripgrepGone(server.pid);
  await session.ask('ping');
  expect(session.received.filter(({ id }) => id === 'endless')).toEqual([]);
});

verifies('cancel.stops', 'takes a cancel of what is unknown or done without an answer', async (way) => {
  const { server } = await shared(way);
  const { session } = server;
  await session.ask('tools/call', { name: 'slow_echo', arguments: {} }, 'done');
  for (const requestId of ['done', 'never was', 99]) session.notify('notifications/cancelled', { requestId });
  const before = session.received.length;
  await session.ask('ping');
  expect(session.received.length).toBe(before + 1);
});

verifies('cancel.zero', 'cancels a request of id 0', async (way) => {
  const { server } = await shared(way);
  const { session } = server;
  const params = { name: 'slow_wait', arguments: { ms: 700 } };
  session.send({ jsonrpc: '2.0', id: 0, method: 'tools/call', params });
  session.notify('notifications/cancelled', { requestId: 0 });
  await session.call('slow_wait', { ms: 1400 });
  expect(session.received.filter(({ id }) => id === 0)).toEqual([]);
});

verifies('cancel.zero', 'answers a request of id 0 under that id', async (way) => {
  const { server } = await shared(way);
  const { result } = await server.session.ask('tools/call', { name: 'slow_echo', arguments: {} }, 0);
  expect(result.structuredContent.text).toBe('');
});
