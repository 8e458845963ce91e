import { memoryLedger } from '@nexus/conversation';
import type { Ledger, ModelCaller, SamplingAnswer } from '@nexus/plugin-sdk';
import { modelEndpoint } from '@nexus/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { idle, speaking, startModels, WIRES } from '../../test/models-under-test.ts';
import { ModelFailure } from '../failure.ts';
import type { ModelSource } from '../source.ts';
import { callModel } from './call-model.ts';
import { createLimits } from './limits.ts';

const [anthropic] = WIRES;

afterEach(() => void vi.useRealTimers());

/** A ledger that keeps what it was settled with, as a run's record does. */
function keepingLedger() {
  const kept = new Map<string, unknown>();
  const confirmed: string[] = [];
  const ledger: Ledger = {
    async reserve(_estimate, what, asked) {
      const key = JSON.stringify(asked);
      if (kept.has(key)) {
        return { answer: { value: kept.get(key) }, confirm: async () => {}, settle: async () => {} };
      }
      return {
        confirm: async () => void confirmed.push(what),
        settle: async (_spent, answer) => void (answer && kept.set(key, JSON.parse(JSON.stringify(answer)))),
      };
    },
  };
  return { ledger, confirmed };
}

describe('a call whose caller pays', () => {
  it('is answered from the ledger where it was answered before, and the model not reached', async () => {
    await using endpoint = await modelEndpoint([
      { text: 'here', tools: [{ name: 'look', input: { at: 'a' } }] },
    ]);
    await using under = startModels(speaking(anthropic, endpoint.url));
    const { ledger } = keepingLedger();
    const caller = { ...idle(), ledger, idempotencyKey: 'k' };
    const request = {
      prompt: 'x',
      tools: [{ name: 'look', description: 'looks', inputSchema: { type: 'object' } }],
    };
    const first = await under.models.generate(request, caller);
    expect(endpoint.requests[0]?.headers['idempotency-key']).toBe('k');
    const again = await under.models.generate(request, { ...caller, idempotencyKey: 'k' });
    expect(again).toEqual(first);
    expect(first.toolUses).toMatchObject([{ name: 'look', input: { at: 'a' } }]);
    expect(endpoint.requests).toHaveLength(1);
  });

  it.each(WIRES)(
    'is read from what had come where its process died before that, over $wire',
    async (wire) => {
      const tools = [{ name: 'look', description: 'looks', inputSchema: { type: 'object' } }];
      const request = { prompt: 'x', model: wire.model, tools };
      await using endpoint = await modelEndpoint([
        { text: 'here', tools: [{ name: 'look', input: { at: 'a' } }] },
      ]);
      await using under = startModels(speaking(wire, endpoint.url));
      const settled: unknown[] = [];
      const ledgerOf = (arrived: unknown, keep: (value: unknown) => void): Ledger => ({
        reserve: async () => ({
          ...(arrived === undefined ? {} : { arrived: { value: arrived } }),
          confirm: async () => {},
          keep: (value) => keep(JSON.parse(JSON.stringify(value))),
          settle: async (...settlement) => void settled.push(settlement),
        }),
      });
      let kept: unknown;
      const first = await under.models.generate(request, {
        ...idle(),
        ledger: ledgerOf(undefined, (value) => {
          // Nothing is made of it before.
          expect(settled).toEqual([]);
          kept = value;
        }),
      });
      const again = await under.models.generate(request, { ...idle(), ledger: ledgerOf(kept, () => {}) });
      // Google's calls have no ids of their own: they are drawn when the answer is read.
      const withoutIds = (value: unknown) =>
        JSON.parse(JSON.stringify(value, (name, each) => (name === 'id' ? '' : each)));
      expect(withoutIds(again)).toEqual(withoutIds(first));
      expect(endpoint.requests).toHaveLength(1);
      expect(withoutIds(settled[1])).toEqual(withoutIds(settled[0]));
    },
  );

  it('is made anew where what had come is no answer', async () => {
    await using endpoint = await modelEndpoint([{ text: 'here' }]);
    await using under = startModels(speaking(anthropic, endpoint.url));
    const arrived = { model: anthropic.model, raw: { type: 'text/event-stream', body: 'data: {}\n\n' } };
    const ledger: Ledger = {
      reserve: async () => ({
        arrived: { value: arrived },
        confirm: async () => {},
        settle: async () => {},
      }),
    };
    const { text } = await under.models.generate({ prompt: 'x' }, { ...idle(), ledger });
    expect([text, endpoint.requests.length]).toEqual(['here', 1]);
  });

  it('asks whether it still may before each request, those made again too', async () => {
    await using endpoint = await modelEndpoint([
      { status: 529, headers: { 'retry-after': '0' } },
      { text: 'here' },
    ]);
    await using under = startModels(speaking(anthropic, endpoint.url));
    const { ledger, confirmed } = keepingLedger();
    await under.models.generate({ prompt: 'x' }, { ...idle(), ledger });
    expect(confirmed).toHaveLength(2);
    const lost: Ledger = {
      reserve: async () => ({
        confirm: () => Promise.reject(new Error('another has it')),
        settle: async () => {},
      }),
    };
    const asked = under.models.generate({ prompt: 'y' }, { ...idle(), ledger: lost });
    await expect(asked).rejects.toThrow('another has it');
    expect(endpoint.requests).toHaveLength(2);
  });

  it.each([
    ['was interrupted once it was asked costs what nobody knows', true],
    ['was interrupted before its turn came costs nothing', false],
  ])('that %s', async (_, isAsked) => {
    await using endpoint = await modelEndpoint([{ hangs: true }]);
    await using under = startModels(speaking(anthropic, endpoint.url));
    const settled: unknown[] = [];
    const stop = new AbortController();
    const ledger: Ledger = {
      reserve: async () => ({
        async confirm() {
          if (!isAsked) await new Promise((resolve) => stop.signal.addEventListener('abort', resolve));
          stop.signal.throwIfAborted();
        },
        settle: async ({ tokens, isUnknown }, answer) => void settled.push({ tokens, isUnknown, answer }),
      }),
    };
    const asked = under.models.generate({ prompt: 'x' }, { signal: stop.signal, ledger });
    if (isAsked) await vi.waitFor(() => expect(endpoint.requests).toHaveLength(1));
    else await new Promise((resolve) => setImmediate(resolve));
    stop.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
    const unknown = isAsked ? { isUnknown: true } : {};
    expect(settled).toEqual([{ tokens: 0, ...unknown }]);
  });

  it('whose body had come is not settled as nothing where it is interrupted before it is read', async () => {
    await using endpoint = await modelEndpoint([]);
    await using under = startModels(speaking(anthropic, endpoint.url));
    const settled: unknown[] = [];
    const stop = new AbortController();
    const ledger: Ledger = {
      async reserve() {
        stop.abort(new Error('enough'));
        const raw = { type: 'text/event-stream', body: 'data: {}\n\n' };
        return {
          arrived: { value: { model: anthropic.model, raw } },
          confirm: async () => {},
          settle: async ({ isUnknown }) => void settled.push(isUnknown),
        };
      },
    };
    const asked = under.models.generate({ prompt: 'x' }, { signal: stop.signal, ledger });
    await expect(asked).rejects.toThrow('enough');
    expect(settled).toEqual([true]);
  });

  it('without a price has no room under a cap of money, and is not made; its price stated, it is', async () => {
    const ollama = WIRES[3];
    await using endpoint = await modelEndpoint([{ text: 'here' }]);
    const request = { prompt: 'x', model: ollama.model, ledger: memoryLedger({ costUsd: 1 }) };
    await using under = startModels(speaking(ollama, endpoint.url));
    await expect(under.models.generate(request, idle())).rejects.toMatchObject({
      code: 'NEXUS_BUDGET_EXCEEDED',
      message: expect.stringContaining('models.models["ollama:qwen"].price'),
    });
    expect(endpoint.requests).toHaveLength(0);
    const { settings } = speaking(ollama, endpoint.url);
    const overrides = { 'ollama:qwen': { price: { input: 1, output: 1 } } };
    await using priced = startModels({ settings: { ...settings, overrides } });
    expect((await priced.models.generate(request, idle())).text).toBe('here');
  });

  it('keeps the provider’s rate with every attempt', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
    const began = Date.now();
    const askedAt: number[] = [];
    const entry = (await list())[0] ?? fail();
    const source: ModelSource = {
      name: 'slow',
      kind: 'api',
      find: () => ({ isFound: true, reason: '' }),
      models: [entry],
      concurrency: 9,
      requestsPerMinute: 2,
      async ask() {
        askedAt.push(Date.now() - began);
        throw new ModelFailure('unavailable', 'not now', { retryAfterMs: 0 });
      },
    };
    const quiet = { debug() {}, info() {}, warn() {}, error() {} };
    const outcomes = { record() {}, read: async () => [], judge: async () => [], flush: async () => {} };
    const calls = { limits: createLimits(), outcomes, maxAttempts: 4, log: quiet, find: () => undefined };
    let isOver = false;
    const call = callModel({ source, entry }, { prompt: 'x' }, idle(), calls).finally(() => {
      isOver = true;
    });
    call.catch(() => {});
    while (!isOver) {
      await vi.advanceTimersByTimeAsync(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await expect(call).rejects.toMatchObject({ code: 'NEXUS_MODEL_UNAVAILABLE' });
    expect(askedAt).toHaveLength(4);
    expect(askedAt[2]).toBeGreaterThanOrEqual(60_000);
  });
});

async function list() {
  await using under = startModels();
  const providers = await under.models.list();
  return providers.flatMap(({ models }) => models);
}

function fail(): never {
  throw new Error('no model to test with');
}

describe('the model of a client', () => {
  const answer: SamplingAnswer = { model: 'm', role: 'assistant', content: { type: 'text', text: 'hello' } };
  const client = (id: string, sample: NonNullable<ModelCaller['sample']>): ModelCaller => ({
    ...idle(),
    session: { id },
    sampling: 'text',
    sample,
  });

  it('that does not answer holds up nobody else’s', async () => {
    await using under = startModels();
    const silent = ['one', 'two'].map((id) => client(id, () => new Promise(() => {})));
    for (const each of [...silent, ...silent, ...silent]) {
      under.models.generate({ prompt: 'x', model: 'host' }, each).catch(() => {});
    }
    const other = client('three', async () => answer);
    expect((await under.models.generate({ prompt: 'x', model: 'host' }, other)).text).toBe('hello');
  });

  it('that does not answer for long is given up, and told', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await using under = startModels();
    let told: AbortSignal | undefined;
    const silent = client('one', (_request, signal) => {
      told = signal;
      return new Promise(() => {});
    });
    const asked = under.models.generate({ prompt: 'x', model: 'host' }, silent);
    const refused = expect(asked).rejects.toMatchObject({
      code: 'NEXUS_MODEL_REJECTED',
      message: expect.stringContaining('no answer within 10 minutes'),
    });
    await vi.waitFor(() => expect(told).toBeDefined());
    await vi.advanceTimersByTimeAsync(600_000);
    await refused;
    expect(told?.aborted).toBe(true);
  });
});

it('a conversation whose text nobody watches goes on after a stream that broke off in the middle', async () => {
  const broken = { text: 'A long answer that is cut off somewhere.', breakAfter: 20 };
  await using endpoint = await modelEndpoint([broken, { text: 'whole' }, broken]);
  await using under = startModels(speaking(anthropic, endpoint.url));
  const turns: string[] = [];
  const onTurn = ({ type }: { type: string }) => void turns.push(type);
  const { text } = await under.models.converse({ prompt: 'x', tools: [], onTurn }, idle());
  expect([text, turns]).toEqual(['whole', ['message']]);
  // A text that somebody saw is not shown twice.
  const watched = under.models.converse({ prompt: 'x', tools: [], onEvent() {} }, idle());
  await expect(watched).rejects.toMatchObject({ code: 'NEXUS_MODEL_UNAVAILABLE' });
  expect(endpoint.requests).toHaveLength(3);
});
