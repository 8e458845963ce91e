import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { ANSWER_MS, endsWithin, ProtocolError, timed } from '@nexus/core';
import { PROTOCOL_VERSIONS } from '@nexus/core/json-rpc';
import { isAlive } from '@nexus/processes';
import { describe, expect, it, vi } from 'vitest';
import { open, stdioSettings } from '../test/stdio-fixture.ts';
import type { Connection, RequestOptions } from './connection.ts';
import { ConnectionError } from './connection-error.ts';

const call = (
  connection: Connection,
  name: string,
  args: object = {},
  options: Partial<RequestOptions> = {},
) =>
  connection.request('tools/call', { name, arguments: args }, { signal: endsWithin(ANSWER_MS), ...options });

describe('the handshake', () => {
  it('knows the versions that the SDK knows', () => {
    expect(PROTOCOL_VERSIONS).toEqual(SUPPORTED_PROTOCOL_VERSIONS);
  });

  it('keeps what the server said of itself and declares what a client offers', async () => {
    await using opened = await open(stdioSettings());
    expect(opened.connection.server).toEqual({
      protocolVersion: '2025-11-25',
      serverInfo: {
        name: 'fixture',
        version: '1',
        icons: [{ src: 'data:,' }],
        declared: {
          sampling: { tools: {}, context: {} },
          elicitation: { form: {}, url: {} },
          roots: { listChanged: true },
        },
      },
      capabilities: { tools: {} },
      instructions: { text: 'be kind', chars: 7 },
    });
    const { heard } = await call(opened.connection, 'facts');
    expect(heard).toMatchObject([
      { method: 'initialize', params: { clientInfo: { name: 'nexus-test', version: '1' } } },
      { method: 'notifications/initialized' },
      { method: 'tools/call' },
    ]);
  });

  it('keeps the beginning of instructions that are longer than anybody reads, and how long they were', async () => {
    await using opened = await open(stdioSettings('tells-much'));
    expect(opened.connection.server.instructions).toEqual({ text: 'x'.repeat(99_999), chars: 100_003 });
  });

  it.each([
    ['exits', 'dies-at-start', /exited with code 3.*no config found\n {2}the token is \*{8}$/s],
    ['refuses', 'refuses', /refused initialize: not with \*{8} \(-32000\)/],
    ['speaks another version', 'other-version', /speaks protocol version "1999-01-01"/],
  ])('fails with the name and the reason when the server %s', async (_, mode, message) => {
    const failed = open(stdioSettings(mode, { env: { API_TOKEN: 'sesame-1234' } }));
    await expect(failed).rejects.toThrow(ConnectionError);
    await expect(failed).rejects.toThrow(/Server "fixture"/);
    await expect(failed).rejects.toThrow(message);
  });

  it('ends a server that does not answer in time, and says what it wrote', async () => {
    const settings = stdioSettings('hangs-at-start');
    const failed = open(
      { ...settings, args: [...settings.args, 'waiting for the licence server'] },
      { timeoutMs: 1000 },
    );
    await expect(failed).rejects.toThrow(/did not finish its start within 1000 ms.*licence server/s);
  });

  it('ends a server that is not wanted any more', async () => {
    const controller = new AbortController();
    const failed = open(stdioSettings('hangs-at-start'), { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(failed).rejects.toThrow('enough');
  });

  it('names a command that does not exist, and a folder', async () => {
    await expect(open(stdioSettings('plain', { command: 'no-such-program' }))).rejects.toThrow(
      'Server "fixture" can\'t be started: there is no command "no-such-program" on the PATH; install it',
    );
    await expect(open(stdioSettings('plain', { cwd: '/no/such/folder' }))).rejects.toThrow(
      'its folder /no/such/folder does not exist; correct "cwd"',
    );
  });
});

describe('a request', () => {
  it('passes parameters and result as they are, unknown keys and their order too', async () => {
    await using opened = await open(stdioSettings());
    const _meta = { traceparent: '00-1', 'x/y': { z: 1, a: 2 } };
    const params = { name: 'echo', arguments: { text: 'hello' }, _meta };
    const result = await opened.connection.request('tools/call', params, { signal: endsWithin(ANSWER_MS) });
    expect(JSON.stringify(result)).toBe(
      JSON.stringify({ content: [{ type: 'text', text: 'hello' }], extra: { b: 1, a: 2 }, _meta }),
    );
  });

  it('delivers every report that comes in one chunk with the result, and hands the caller’s token to nobody', async () => {
    await using opened = await open(stdioSettings());
    const onProgress = vi.fn();
    const params = { name: 'report', arguments: { steps: 3 }, _meta: { progressToken: 'mine', other: 1 } };
    await opened.connection.request('tools/call', params, { signal: endsWithin(ANSWER_MS), onProgress });
    expect(onProgress.mock.calls).toEqual([
      [{ progress: 1, message: 'fixture: step 1' }],
      [{ progress: 2, message: 'fixture: step 2' }],
      [{ progress: 3, message: 'fixture: step 3' }],
    ]);
    expect(opened.heard).toEqual([]);
    const { _meta } = await opened.connection.request(
      'tools/call',
      { ...params, name: 'echo' },
      { signal: endsWithin(ANSWER_MS) },
    );
    expect(_meta).toEqual({ other: 1 });
  });

  it('rejects with the server’s error, unchanged', async () => {
    await using opened = await open(stdioSettings());
    const error = await call(opened.connection, 'fail').catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ProtocolError);
    expect(error).toMatchObject({ code: -32042, message: 'no such thing', data: { hint: 'look', _x: 1 } });
  });

  it('is cancelled at the server with the reason, and rejects with it', async () => {
    await using opened = await open(stdioSettings());
    const controller = new AbortController();
    const hanging = call(opened.connection, 'hang', {}, { signal: timed(controller.signal) });
    const reason = new Error('the user pressed stop');
    controller.abort(reason);
    await expect(hanging).rejects.toBe(reason);
    await vi.waitFor(() =>
      expect(opened.heard).toEqual([
        {
          method: 'notifications/message',
          params: {
            logger: 'fixture',
            data: { requestId: expect.any(Number), reason: 'the user pressed stop' },
          },
        },
      ]),
    );
  });

  it('is not sent when it is cancelled already', async () => {
    await using opened = await open(stdioSettings());
    const reason = new Error('too late');
    await expect(
      call(opened.connection, 'die', {}, { signal: timed(AbortSignal.abort(reason)) }),
    ).rejects.toBe(reason);
    expect(await call(opened.connection, 'echo', { text: 'still here' })).toMatchObject({ content: [{}] });
  });

  it('rejects with exit code and stderr when the server dies in the middle, as do all later ones', async () => {
    await using opened = await open(stdioSettings());
    const hanging = call(opened.connection, 'hang');
    const dying = call(opened.connection, 'die');
    for (const failed of [hanging, dying]) {
      await expect(failed).rejects.toThrow(
        'Server "fixture" exited with code 7. Its last lines on stderr:\n  out of memory',
      );
    }
    expect(await opened.connection.closed).toEqual({
      reason: 'exited with code 7',
      exitCode: 7,
      stderrTail: 'out of memory',
    });
    await expect(call(opened.connection, 'echo')).rejects.toThrow(ConnectionError);
    await expect(opened.connection.notify('notifications/x')).rejects.toThrow(ConnectionError);
  });
});

describe('a list', () => {
  it('has the items of all pages as served', async () => {
    await using opened = await open(stdioSettings());
    expect(
      JSON.stringify(await opened.connection.list('tools/list', 'tools', { signal: endsWithin(ANSWER_MS) })),
    ).toBe('[{"zebra":1,"name":"one","inputSchema":{}},{"name":"two","inputSchema":{}}]');
  });

  it('ends where a cursor comes again, and says so', async () => {
    await using opened = await open(stdioSettings('cursor-loop'));
    const tools = await opened.connection.list('tools/list', 'tools', { signal: endsWithin(ANSWER_MS) });
    expect(tools.map((tool) => (tool as { name: string }).name)).toEqual(['one', 'two']);
    expect(opened.lines).toContainEqual(
      expect.objectContaining({ level: 'warn', message: 'a list that does not end was cut' }),
    );
  });

  it('that is no list is an error that names method and key', async () => {
    await using opened = await open(stdioSettings());
    await expect(
      opened.connection.list('prompts/list', 'prompts', { signal: endsWithin(ANSWER_MS) }),
    ).rejects.toThrow('The answer to prompts/list has no array "prompts".');
  });
});

describe('what a server asks', () => {
  it('is answered by the listener, pings by the connection', async () => {
    const request = vi.fn(async () => ({ roots: [{ uri: 'file:///x', odd: 1 }] }));
    await using opened = await open(stdioSettings(), { listener: { notification() {}, request } });
    expect(
      await call(opened.connection, 'ask', { method: 'roots/list', params: { _meta: { a: 1 } } }),
    ).toEqual({
      content: [],
      answer: { roots: [{ uri: 'file:///x', odd: 1 }] },
    });
    expect(request).toHaveBeenCalledWith(
      'roots/list',
      { _meta: { a: 1 } },
      { signal: expect.any(AbortSignal) },
    );
    expect(await call(opened.connection, 'ask', { method: 'ping' })).toEqual({ content: [], answer: {} });
    expect(request).toHaveBeenCalledTimes(1);
  });

  it('is refused with the listener’s protocol error; any other error stays inside', async () => {
    const errors = [
      new ProtocolError(-1, 'declined by the user', { by: 'user' }),
      new TypeError('x is undefined'),
    ];
    const request = () => Promise.reject(errors.shift());
    await using opened = await open(stdioSettings(), { listener: { notification() {}, request } });
    const ask = { method: 'sampling/createMessage', params: {} };
    expect(await call(opened.connection, 'ask', ask)).toMatchObject({
      answer: { error: { code: -1, message: 'declined by the user', data: { by: 'user' } } },
    });
    expect(await call(opened.connection, 'ask', ask)).toMatchObject({
      answer: { error: { code: -32603, message: 'Internal error' } },
    });
  });

  it('is ended and not answered when the server withdraws it', async () => {
    const notification = vi.fn();
    const reasons: unknown[] = [];
    await using opened = await open(stdioSettings(), {
      listener: {
        notification,
        request: (_method, _params, { signal }) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => {
              reasons.push(signal.reason);
              resolve({});
            });
          }),
      },
    });
    await call(opened.connection, 'withdraw');
    await call(opened.connection, 'echo');
    expect(reasons).toEqual([new Error('no need')]);
    expect(notification).not.toHaveBeenCalled();
  });
});

describe('a stdio server', () => {
  it('whose stdout has rubbish among its messages is contained: the lines are counted and not answered', async () => {
    await using opened = await open(stdioSettings());
    await call(opened.connection, 'rubbish');
    const { heard } = await call(opened.connection, 'facts');
    expect((heard as unknown[]).length).toBe(4);
    const faults = opened.lines.filter(
      ({ message }) => message === 'a server wrote a line that is no message',
    );
    expect(faults.map(({ level, fields }) => [level, fields?.faultyLines])).toEqual([
      ['warn', 1],
      ['debug', 2],
      ['debug', 3],
    ]);
  });

  it('that answers with a faulty message fails the request that it was to answer', async () => {
    await using opened = await open(stdioSettings());
    await expect(call(opened.connection, 'faulty-answer')).rejects.toThrow(
      'Server "fixture" answered with a faulty message: result must be an object, received string',
    );
  });

  it('starts in the project with few inherited variables and its own', async () => {
    vi.stubEnv('NEXUS_TEST_SECRET', 'not for servers');
    await using opened = await open(stdioSettings('plain', { env: { OWN: 'value' } }));
    vi.unstubAllEnvs();
    const { cwd, env, pid } = await call(opened.connection, 'facts');
    expect(cwd).toBe(realpathSync(tmpdir()));
    expect(env).toMatchObject({ OWN: 'value', PATH: process.env.PATH });
    expect(env).not.toHaveProperty('NEXUS_TEST_SECRET');
    expect(pid).toBe(opened.connection.pid);
  });

  it('writes its stderr to the log, line by line, secrets masked', async () => {
    const settings = stdioSettings('plain', { env: { TOKEN: 'sesame-1234' } });
    await using opened = await open({ ...settings, args: [...settings.args, 'using sesame-1234'] });
    await vi.waitFor(() =>
      expect(opened.lines).toContainEqual({
        level: 'debug',
        message: 'using ********',
        fields: { server: 'fixture', pid: opened.connection.pid },
      }),
    );
  });

  it.each(['plain', 'stubborn'])('is gone after close, when it is %s', async (mode) => {
    const { connection } = await open(stdioSettings(mode));
    const hanging = expect(call(connection, 'hang')).rejects.toThrow('Server "fixture" was closed.');
    await connection.close();
    await hanging;
    expect(await connection.closed).toMatchObject({ reason: 'was closed' });
    expect(isAlive(Number(connection.pid))).toBe(false);
  });

  it.each([
    ['closed', (connection: Connection) => connection.close()],
    ['dead', (connection: Connection) => call(connection, 'die').catch(() => connection.closed)],
  ])('leaves no child of its own behind when it is %s', async (_, end) => {
    const { connection } = await open(stdioSettings('grandchild'));
    const { env } = await call(connection, 'facts');
    const grandchild = Number((env as Record<string, string>).GRANDCHILD);
    expect(isAlive(grandchild)).toBe(true);
    await end(connection);
    await vi.waitFor(() => expect(isAlive(grandchild)).toBe(false), { timeout: 5000 });
  });
});
