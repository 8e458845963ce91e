import { expect, vi } from 'vitest';
import { fastClock } from '../harness/fast-clock.ts';
import type { Message } from '../harness/session.ts';
import { shareProject } from '../harness/shared-project.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

/** Two minutes, of which a hastened clock makes little over a second. */
const LONG_MS = 120_000;

verifiesApp('sharing.carries', 'carries a result of 10 MB whole', async () => {
  const limits = { maxResultChars: 100_000_000 };
  await using project = await shareProject({ slowPlugin: true, config: { limits } });
  await project.host();
  const { session } = await project.host();
  const text = 'é'.repeat(5_000_000);
  const { result } = await session.call('slow_echo', { text });
  expect(result.structuredContent.text).toBe(text);
});

slowlyVerifiesApp('sharing.carries', 'refuses what the config says is too long, and no less', async () => {
  const limits = { maxMessageBytes: 30_000_000, maxResultChars: 100_000_000 };
  await using project = await shareProject({ slowPlugin: true, config: { limits } });
  await project.host();
  const { session } = await project.host();
  const { result } = await session.call('slow_echo', { text: 'x'.repeat(18_000_000) });
  expect(result.structuredContent.text).toHaveLength(18_000_000);
  const { error } = await session.call('slow_echo', { text: 'x'.repeat(30_000_000) });
  expect(error).toMatchObject({ code: -32600, message: expect.stringContaining('30000000 bytes') });
});

slowlyVerifiesApp(
  'sharing.carries',
  'carries a call that is longer than a minute, with its progress',
  async () => {
    await using project = await shareProject({ slowPlugin: true });
    await project.host({ nodeArgs: fastClock });
    const { session } = await project.host({ nodeArgs: fastClock });
    const token = { _meta: { progressToken: 'token' } };
    const { result } = await session.call('slow_wait_long', { ms: LONG_MS }, token);
    expect(result.structuredContent).toEqual({ waitedMs: LONG_MS });
    expect(session.received.some(({ method }) => method === 'notifications/progress')).toBe(true);
  },
);

slowlyVerifiesApp(
  'sharing.carries',
  'tells what it warns of a session in the process that it came by',
  async () => {
    await using project = await shareProject({ slowPlugin: true });
    await project.host();
    const bridge = await project.host();
    await bridge.session.call('slow_job', { note: 'quick', ms: 1 });
    await vi.waitFor(() => expect(bridge.stderr()).toContain('no progressToken received'), 5_000);
    // Of the log alone, and for no host.
    expect(bridge.session.received.filter(({ id }) => id === undefined)).toEqual([]);
  },
);

const isUpdate = ({ method }: Message) => method === 'notifications/resources/updated';

slowlyVerifiesApp('sharing.carries', 'tells the next server what the session had told the last', async () => {
  await using project = await shareProject({ slowPlugin: true });
  const owner = await project.host();
  const bridge = project.start();
  const { session } = bridge;
  await session.initialize({ roots: {} });
  session.onRequest('roots/list', () => ({ roots: [{ uri: 'file:///', name: 'all' }] }));
  await session.ask('resources/subscribe', { uri: 'nexus://counter' });
  await session.ask('logging/setLevel', { level: 'error' });
  owner.child.kill('SIGKILL');
  await owner.exit();
  await session.call('slow_speak');
  await session.call('slow_touch');
  await session.ask('ping');
  expect(session.received.filter(isUpdate)).toHaveLength(1);
  const logged = session.received.filter(({ method }) => method === 'notifications/message');
  expect(logged.map(({ params }) => params.level)).toEqual(['error']);
  // Roots are asked for by the server that the session has now.
  const { result } = await session.call('extract_symbols', { filePath: '/no/such/file.ts' });
  expect(result._meta['nexus/error'].code).toBe('NEXUS_NOT_FOUND');
  // Of all this the host hears nothing else: no second answer to initialize.
  expect(session.received.filter(({ result }) => result?.serverInfo)).toHaveLength(1);
});

slowlyVerifiesApp('sharing.carries', 'lets the next server ask the client back', async () => {
  await using project = await shareProject({ slowPlugin: true });
  const owner = await project.host();
  const { session } = project.start();
  await session.initialize({ sampling: {} });
  const asked: unknown[] = [];
  const answer = { role: 'assistant', model: 'm-1', content: { type: 'text', text: 'yes' } };
  session.onRequest('sampling/createMessage', (params) => {
    asked.push(params);
    // The first question dies with its server, in the middle of the answer.
    if (asked.length === 1) owner.child.kill('SIGKILL');
    return answer;
  });
  const { result } = await session.call('slow_ask_model', { question: 'Still there?' });
  expect(result.structuredContent).toMatchObject({ model: 'm-1' });
});
