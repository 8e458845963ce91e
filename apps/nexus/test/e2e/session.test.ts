import { expect } from 'vitest';
import { makeProject } from '../harness/project.ts';
import { startServer } from '../harness/server-process.ts';
import type { Message } from '../harness/session.ts';
import { sharedServer } from '../harness/shared-server.ts';
import { verifies, verifiesAnew, verifiesApp } from '../harness/verifies.ts';

const shared = sharedServer({ slowPlugin: true });

verifiesAnew('session.initialize', 'says who it is, what it can, and how to use it', async (way) => {
  const config = { server: { name: 'team-nexus', instructions: 'Ask before you write.' } };
  await using project = await makeProject({ config });
  await using server = await way.open(project);
  const { result } = server.session.received[0] ?? {};
  expect(result).toMatchObject({
    protocolVersion: '2025-11-25',
    serverInfo: { name: 'team-nexus', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
    capabilities: {
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      prompts: { listChanged: true },
      logging: {},
      completions: {},
    },
    instructions: expect.stringMatching(/^Ask before you write\.\n\nNexus serves \d+ tools/),
  });
});

verifiesApp('lines.stdout', 'keeps stdout for the protocol, whatever a plugin prints', async () => {
  await using project = await makeProject({ slowPlugin: true });
  await using server = startServer(project, { args: ['--verbose'] });
  await server.session.initialize();
  // Lines on stdout that are no JSON would fail the session's own reader.
  const { result } = await server.session.call('slow_print');
  expect(result.structuredContent).toEqual({ printed: true });
  await server.session.ask('ping');
  expect(server.session.received.filter(({ method }) => method === 'forged')).toEqual([]);
  expect(server.stderr()).toContain('this is no message');
  expect(server.stderr()).toContain('Registered tool: slow_print');
});

const OLDER = ['2025-06-18', '2025-03-26', '2024-11-05'];

verifiesApp('lines.stdout', 'speaks older versions of the protocol when asked', async () => {
  await using project = await makeProject();
  const clientInfo = { name: 'older', version: '1' };
  for (const protocolVersion of [...OLDER, '1999-01-01']) {
    await using server = startServer(project);
    const params = { protocolVersion, capabilities: {}, clientInfo };
    const { result } = await server.session.ask('initialize', params);
    const isKnown = OLDER.includes(protocolVersion);
    expect(result.protocolVersion).toBe(isKnown ? protocolVersion : '2025-11-25');
    server.session.notify('notifications/initialized');
    expect((await server.session.ask('tools/list')).result.tools.length).toBeGreaterThan(0);
  }
});

verifies('session.ping', 'answers a ping while a call runs', async (way) => {
  const { server } = await shared(way);
  const { session } = server;
  const called = session.ask('tools/call', { name: 'slow_wait', arguments: { ms: 1000 } }, 'call');
  expect((await session.ask('ping')).result).toEqual({});
  expect(session.received.some(({ id }) => id === 'call')).toBe(false);
  await called;
});

verifies('session.unknown-method', 'refuses a method that does not exist', async (way) => {
  const { server } = await shared(way);
  const { session } = server;
  for (const method of ['tools/lst', 'constructor', '__proto__', 'toString', '']) {
    const { error } = await session.ask(method);
    expect(error, method).toMatchObject({ code: -32601, message: expect.stringContaining(method) });
  }
  session.notify('notifications/unheard-of', { any: 'thing' });
  expect((await session.ask('ping')).result).toEqual({});
});

const isLog = ({ method }: Message) => method === 'notifications/message';

verifies('logging.level', 'sends log messages from the wanted level up', async (way) => {
  const { server } = await shared(way);
  const { session } = server;
  const levels = () => session.received.filter(isLog).map(({ params }) => params.level);
  await session.call('slow_speak');
  expect(levels()).toEqual([]);
  await session.ask('logging/setLevel', { level: 'warning' });
  await session.call('slow_speak');
  await session.ask('ping');
  expect(levels()).toEqual(['warning', 'error']);
  expect(session.received.find(isLog)?.params.data).toMatchObject({ message: 'a line at warn' });
  await session.ask('logging/setLevel', { level: 'debug' });
  await session.call('slow_speak');
  await session.ask('ping');
  expect(levels().slice(2)).toEqual(['debug', 'info', 'warning', 'error']);
  const { error } = await session.ask('logging/setLevel', { level: 'loud' });
  expect(error?.code).toBe(-32602);
});
