import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import type { JsonRpcMessage } from '@nexus/core';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { anyCharacter } from '../../../../vitest.characters.ts';
import { collectingLog } from '../../test/collecting-log.ts';
import { socketPair } from '../../test/socket-pair.ts';
import { type JsonLinesOptions, jsonLinesChannel } from './index.ts';

/** A channel over streams in memory; what it writes is collected as lines. */
function open(options: Partial<JsonLinesOptions> = {}) {
  const input = new PassThrough();
  const output = new PassThrough();
  const { log, lines: logged } = collectingLog();
  const channel = jsonLinesChannel({ kind: 'memory', readable: input, writable: output, log, ...options });
  const received: JsonRpcMessage[] = [];
  const closed = vi.fn();
  channel.start({ message: (message) => received.push(message), closed });
  let text = '';
  output.on('data', (chunk) => {
    text += chunk;
  });
  return {
    channel,
    input,
    output,
    logged,
    received,
    closed,
    async answers(): Promise<unknown[]> {
      await settle();
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
    },
  };
}

const settle = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' }) as const;
const line = (message: unknown) => `${JSON.stringify(message)}\n`;

describe('reading', () => {
  it('answers neither blank lines nor lines of white space', async () => {
    const { input, received, answers } = open();
    input.write(`\n \t\n\r\n${line(ping(1))}`);
    expect(await answers()).toEqual([]);
    expect(received).toEqual([ping(1)]);
  });

  it('reads a long line in several turns, and delivers what came after it after it', async () => {
    const { input, received, closed } = open();
    const long = { ...ping(1), params: { rows: Array(40_000).fill({ id: 1, name: 'a row of a table' }) } };
    let turns = 0;
    const count = () => {
      if (received.length === 0) {
        turns += 1;
        setImmediate(count);
      }
    };
    input.write(`${line(long)}${line(ping(2))}${'x'.repeat(2_000_000)}\n`);
    input.write(line(ping(3)));
    input.end(line(ping(4)));
    setImmediate(count);
    await vi.waitFor(() => expect(closed).toHaveBeenCalledOnce());
    expect(received).toEqual([long, ping(2), ping(3), ping(4)]);
    // Of two megabytes, in pieces of a quarter of one.
    expect(turns).toBeGreaterThanOrEqual(8);
  });

  it('delivers no line that is still being read once it is closed', async () => {
    const { channel, input, received, closed } = open();
    input.write(line({ ...ping(1), params: { text: 'x'.repeat(2_000_000) } }));
    await new Promise(setImmediate);
    const closing = channel.close();
    expect(closed).toHaveBeenCalledOnce();
    await closing;
    await settle();
    await settle();
    expect(received).toEqual([]);
  });

  it('tells of faulty lines instead of answering them where it is asked to', async () => {
    const faulty = vi.fn();
    const { input, received, answers } = open({ faulty, maxMessageBytes: 100 });
    input.write('listening on port 80\n');
    input.write(line({ jsonrpc: '1.0', id: 1, method: 'ping' }));
    input.write(line({ jsonrpc: '2.0', id: 2, result: 'no object' }));
    input.write('{"jsonrpc":"2.0","id":"5","result":{"content":[{"type":"te\n');
    input.write(`${'x'.repeat(101)}\n`);
    input.write(line({ jsonrpc: '2.0', id: 3, result: { text: 'x'.repeat(100) } }));
    input.write(line(ping(4)));
    expect(await answers()).toEqual([]);
    expect(received).toEqual([ping(4)]);
    expect(faulty.mock.calls).toEqual([
      [expect.stringContaining('Parse error'), undefined],
      [expect.stringContaining('jsonrpc must be'), undefined],
      [expect.stringContaining('result must be an object'), 2],
      [expect.stringContaining('Parse error'), '5'],
      [expect.stringContaining('longer than 100 bytes'), undefined],
      [expect.stringContaining('longer than 100 bytes'), 3],
    ]);
  });

  it('answers a line that is no UTF-8 with a parse error', async () => {
    const { input, received, answers } = open();
    input.write(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22, 0x0a]));
    input.write(line(ping(1)));
    expect(await answers()).toMatchObject([{ id: null, error: { code: -32700 } }]);
    expect(received).toEqual([ping(1)]);
  });

  it('answers a line over the limit with the limit and its id, and reads the next', async () => {
    const { input, received, answers } = open({ maxMessageBytes: 2000 });
    input.write(line({ method: 'm', params: { text: 'x'.repeat(5000) }, jsonrpc: '2.0', id: 'a' }));
    input.write(line(ping(1)));
    expect(await answers()).toEqual([
      {
        jsonrpc: '2.0',
        id: 'a',
        error: { code: -32600, message: 'Invalid request: the message is longer than 2000 bytes' },
      },
    ]);
    expect(received).toEqual([ping(1)]);
  });

  it('logs a faulty response instead of answering it', async () => {
    const { input, logged, answers } = open({ maxMessageBytes: 2000 });
    input.write('{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"m"}}\n');
    input.write(line({ jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(5000) } }));
    expect(await answers()).toEqual([]);
    expect(logged.filter(({ level }) => level === 'warn')).toHaveLength(2);
  });

  it('handles a last line that has no newline, then tells the end', async () => {
    const { input, received, closed } = open();
    input.end(JSON.stringify(ping(1)));
    await settle();
    expect(received).toEqual([ping(1)]);
    expect(closed).toHaveBeenCalledOnce();
  });

  it('gives others a turn while a peer floods', async () => {
    const input = new PassThrough({ highWaterMark: 1_000_000 });
    const { log } = collectingLog();
    const channel = jsonLinesChannel({ kind: 'memory', readable: input, writable: new PassThrough(), log });
    let received = 0;
    let turns = 0;
    const look = () => {
      turns += 1;
      if (received < 100) setImmediate(look);
    };
    channel.start({
      message() {
        received += 1;
        for (const until = performance.now() + 2; performance.now() < until; );
      },
      closed() {},
    });
    for (let id = 0; id < 100; id += 1) input.write(line(ping(id)));
    setImmediate(look);
    await vi.waitFor(() => expect(received).toBe(100));
    expect(turns).toBeGreaterThan(10);
  });

  it('still hands on answers after the end of input', async () => {
    const { channel, input, answers } = open();
    input.end();
    await settle();
    await channel.send(ping(1));
    expect(await answers()).toEqual([ping(1)]);
  });

  it('tells a session that starts on a lost connection that it is closed', async () => {
    const input = new PassThrough();
    const { log } = collectingLog();
    const channel = jsonLinesChannel({ kind: 'memory', readable: input, writable: new PassThrough(), log });
    input.destroy(new Error('reset'));
    await settle();
    const closed = vi.fn();
    channel.start({ message() {}, closed });
    await settle();
    expect(closed).toHaveBeenCalledOnce();
  });
});

describe('writing', () => {
  it('rejects a message that is no JSON, and the channel stays open', async () => {
    const { channel, answers } = open();
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    await expect(channel.send({ jsonrpc: '2.0', id: 1, result: circular })).rejects.toThrow('circular');
    await channel.send(ping(1));
    expect(await answers()).toEqual([ping(1)]);
  });

  it('hands on what is urgent, and what waits before it, before anything else is done', () => {
    const { channel, output } = open();
    let handedOn = '';
    output.on('data', (chunk) => {
      handedOn += chunk;
    });
    void channel.send(ping(1));
    expect(handedOn).toBe('');
    void channel.send(ping(2), { isUrgent: true });
    expect(handedOn.trim().split('\n')).toEqual([JSON.stringify(ping(1)), JSON.stringify(ping(2))]);
  });

  it('disconnects a client that never reads, with the reason in the log', async () => {
    const { channel, closed, logged, output } = open({
      writable: new Writable({ write() {} }),
      maxQueuedBytes: 100_000,
    });
    const sends = Array.from({ length: 30 }, (_, id) =>
      channel.send({ jsonrpc: '2.0', id, result: { text: 'x'.repeat(10_000) } }),
    );
    await Promise.all(sends);
    expect(closed).toHaveBeenCalledOnce();
    expect(JSON.stringify(logged)).toContain('more than 100000 bytes unread');
    output.destroy();
  });

  it('lets a message larger than the bound pass, and others behind it', async () => {
    const { channel, answers } = open({ maxQueuedBytes: 1000 });
    const large = { jsonrpc: '2.0', id: 0, result: { text: 'x'.repeat(1_000_000) } } as const;
    void channel.send(large);
    void channel.send(ping(1));
    await channel.send(ping(2));
    expect(await answers()).toEqual([large, ping(1), ping(2)]);
  });

  it('stops reading requests while a client leaves megabytes of answers unread', async () => {
    const { near, far, dispose } = await socketPair();
    const { log } = collectingLog();
    const channel = jsonLinesChannel({ kind: 'socket', readable: near, writable: near, log });
    let received = 0;
    channel.start({
      message({ id = 0 }) {
        received += 1;
        void channel.send({ jsonrpc: '2.0', id, result: { text: 'x'.repeat(20_000) } });
      },
      closed() {},
    });
    const total = 2000;
    for (let id = 0; id < total; id += 1)
      far.write(line({ ...ping(id), params: { text: 'x'.repeat(1000) } }));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(received).toBeLessThan(total / 2);
    far.resume();
    await vi.waitFor(() => expect(received).toBe(total), { timeout: 20_000 });
    await dispose();
  });

  it('ends quietly when the client goes away in the middle of an answer', async () => {
    const { near, far, dispose } = await socketPair();
    const { log } = collectingLog();
    const channel = jsonLinesChannel({ kind: 'socket', readable: near, writable: near, log });
    const closed = vi.fn();
    channel.start({ message() {}, closed });
    far.destroy();
    await once(near, 'end').catch(() => {});
    for (let id = 0; id < 20; id += 1) await channel.send(ping(id));
    await channel.close();
    expect(closed).toHaveBeenCalledOnce();
    await dispose();
  });
});

const json = fc.jsonValue({ maxDepth: 4 });
const id = fc.oneof(fc.string(), fc.maxSafeInteger());
const params = fc.option(fc.dictionary(fc.string({ unit: anyCharacter }), json), { nil: undefined });
const message = fc.oneof(
  fc.record({ jsonrpc: fc.constant('2.0'), id, method: fc.string(), params }),
  fc.record({ jsonrpc: fc.constant('2.0'), method: fc.string(), params }),
  fc.record({ jsonrpc: fc.constant('2.0'), id, result: fc.dictionary(fc.string(), json) }),
);

describe('any input', () => {
  it('gives the same messages, however its bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { maxLength: 10 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        fc.constantFrom('\n', '\r\n', '\n\n'),
        async (messages, sizes, newline) => {
          const { input, received, answers } = open();
          const texts = messages.map((each) => JSON.stringify(each));
          let rest = Buffer.from(texts.map((text) => text + newline).join(''));
          for (let turn = 0; rest.length > 0; turn += 1) {
            const size = sizes[turn % sizes.length] ?? 1;
            input.write(rest.subarray(0, size));
            rest = rest.subarray(size);
          }
          // The channel gives others a turn in between, the oftener the busier the machine is.
          await vi.waitFor(() => expect(received).toHaveLength(texts.length));
          expect(await answers()).toEqual([]);
          expect(received).toEqual(texts.map((text) => JSON.parse(text)));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('of 10 000 random and mutated lines breaks nothing: one error for each that deserves it, and a good line works after each', async () => {
    const { input, received, answers } = open({ maxMessageBytes: 4096 });
    const samples = fc.sample(fc.oneof(fc.uint8Array({ maxLength: 60 }), mutated()), 10_000);
    let deserved = 0;
    for (const [at, bytes] of samples.entries()) {
      const text = Buffer.from(bytes).toString('latin1').replaceAll('\n', ' ');
      input.write(Buffer.concat([Buffer.from(text, 'latin1'), Buffer.from(`\n${line(ping(at))}`)]));
      if (deservesError(Buffer.from(text, 'latin1'))) deserved += 1;
    }
    // The channel gives others a turn in between, the oftener the busier the machine is.
    await vi.waitFor(() =>
      expect(received.filter(({ method }) => method === 'ping')).toHaveLength(samples.length),
    );
    const errors = await answers();
    expect(errors).toHaveLength(deserved);
    expect(deserved).toBeGreaterThan(5000);
    for (const error of errors)
      expect(error).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number) } });
  });
});

/** Good messages with bytes changed, dropped or doubled. */
function mutated(): fc.Arbitrary<Uint8Array> {
  return fc
    .tuple(message, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }))
    .map(([good, edits]) => {
      const bytes = [...Buffer.from(JSON.stringify(good))];
      for (const [at, byte] of edits) {
        if (byte < 32) bytes.splice(at % bytes.length, 1);
        else bytes.splice(at % bytes.length, byte % 2, byte);
      }
      return Uint8Array.from(bytes);
    });
}

/** The rule said another way than the reader says it: what is neither ignorable nor a silent message. */
function deservesError(bytes: Buffer): boolean {
  if (bytes.length > 4096) return true;
  let value: unknown;
  try {
    const text = new TextDecoder('utf8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (/^[ \t\r]*$/.test(text)) return false;
    value = JSON.parse(text);
  } catch {
    return true;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return true;
  const { jsonrpc, id, method, params, result, error } = value as Record<string, unknown>;
  if (method === undefined) return result === undefined && error === undefined;
  if (jsonrpc !== '2.0' || typeof method !== 'string') return true;
  if (id === undefined) return false;
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return true;
  const hasFaultyParams = typeof params !== 'object' || params === null || Array.isArray(params);
  return result !== undefined || error !== undefined || (params !== undefined && hasFaultyParams);
}
