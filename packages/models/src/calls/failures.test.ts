import { memoryLedger } from '@nexus/conversation';
import type { ModelEvent } from '@nexus/plugin-sdk';
import { modelEndpoint } from '@nexus/testing';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { idle, speaking, startModels, WIRES } from '../../test/models-under-test.ts';

const [anthropic] = WIRES;
const NOW = { 'retry-after': '0' };

describe.each(WIRES)('over $wire', (wire) => {
  it('a 429 is waited for as long as the provider asks, and then made again', async () => {
    await using endpoint = await modelEndpoint([
      { status: 429, headers: NOW, message: 'slow down' },
      { text: 'here' },
    ]);
    await using under = startModels(speaking(wire, endpoint.url));
    const events: ModelEvent[] = [];
    const answer = await under.models.generate(
      { prompt: 'x', onEvent: (event) => events.push(event) },
      idle(),
    );
    expect(answer.text).toBe('here');
    expect(events[0]).toEqual({
      type: 'retry',
      attempt: 2,
      waitMs: 0,
      reason: expect.stringContaining('slow down'),
    });
    expect(endpoint.requests).toHaveLength(2);
  });

  it('a 529 is made again after a while, and in the end an error that may be retried', async () => {
    await using endpoint = await modelEndpoint(() => ({ status: 529, headers: NOW, message: 'Overloaded' }));
    await using under = startModels(speaking(wire, endpoint.url));
    await expect(under.models.generate({ prompt: 'x' }, idle())).rejects.toMatchObject({
      code: 'NEXUS_MODEL_UNAVAILABLE',
      message: expect.stringMatching(/529.*Overloaded/),
    });
    expect(endpoint.requests).toHaveLength(4);
  });

  it('an error that comes inside a stream is one', async () => {
    await using endpoint = await modelEndpoint([
      { status: 529, message: 'Overloaded', inStream: true },
      { text: 'here' },
    ]);
    await using under = startModels(speaking(wire, endpoint.url));
    expect((await under.models.generate({ prompt: 'x' }, idle())).text).toBe('here');
    expect(endpoint.requests).toHaveLength(2);
  });

  it('a stream that stops in the middle is an error, and is made again only when nothing was shown', async () => {
    const broken = { text: 'A long answer that is cut off somewhere.', breakAfter: 20 };
    await using endpoint = await modelEndpoint([broken, { text: 'whole' }, broken]);
    await using under = startModels(speaking(wire, endpoint.url));
    expect((await under.models.generate({ prompt: 'x' }, idle())).text).toBe('whole');
    const shown: string[] = [];
    const asked = under.models.generate(
      { prompt: 'x', onEvent: (event) => event.type === 'text' && shown.push(event.text) },
      idle(),
    );
    await expect(asked).rejects.toMatchObject({ code: 'NEXUS_MODEL_UNAVAILABLE' });
    expect(shown.join('')).toMatch(/^A long/);
    expect(endpoint.requests).toHaveLength(3);
  });

  it('a refusal is one, and not made again', async () => {
    await using endpoint = await modelEndpoint([{ stop: 'refusal', text: 'I can not.' }]);
    await using under = startModels(speaking(wire, endpoint.url));
    await expect(under.models.generate({ prompt: 'x' }, idle())).rejects.toMatchObject({
      code: 'NEXUS_MODEL_REFUSED',
    });
    expect(endpoint.requests).toHaveLength(1);
  });

  it('an answer that is cut at the limit says so', async () => {
    await using endpoint = await modelEndpoint([{ stop: 'length', text: 'Once upon' }]);
    await using under = startModels(speaking(wire, endpoint.url));
    expect(await under.models.generate({ prompt: 'x' }, idle())).toMatchObject({
      stopReason: 'length',
      text: 'Once upon',
    });
  });

  it.each([400, 401, 404])('a %i is not made again, and has the provider’s words', async (status) => {
    await using endpoint = await modelEndpoint(() => ({ status, message: 'no such thing' }));
    await using under = startModels(speaking(wire, endpoint.url));
    await expect(under.models.generate({ prompt: 'x' }, idle())).rejects.toMatchObject({
      code: 'NEXUS_MODEL_REJECTED',
      message: expect.stringContaining('no such thing'),
    });
    expect(endpoint.requests.filter((request) => request.wire === wire.wire)).toHaveLength(1);
  });

  it('rubbish instead of an answer is an error', async () => {
    await using endpoint = await modelEndpoint(() => ({ raw: '<html>proxy says hello</html>' }));
    await using under = startModels({ ...speaking(wire, endpoint.url) });
    await expect(under.models.generate({ prompt: 'x' }, idle())).rejects.toMatchObject({
      code: 'NEXUS_MODEL_UNAVAILABLE',
    });
  });

  it('a call that is cancelled while the provider is silent ends at once, and its connection with it', async () => {
    await using endpoint = await modelEndpoint([{ hangs: true }]);
    await using under = startModels(speaking(wire, endpoint.url));
    const caller = new AbortController();
    const asked = under.models.generate({ prompt: 'x' }, { signal: caller.signal });
    await vi.waitFor(() => expect(endpoint.requests).toHaveLength(1), { timeout: 20_000 });
    const reason = new Error('changed my mind');
    caller.abort(reason);
    await expect(asked).rejects.toBe(reason);
    await vi.waitFor(() => expect(endpoint.open).toBe(0), { timeout: 20_000 });
  });

  it('rubbish for an object twice is an error with what was wrong', async () => {
    await using endpoint = await modelEndpoint([{ text: 'no' }, { text: '{"n":"x"}' }]);
    await using under = startModels(speaking(wire, endpoint.url));
    const asked = under.models.object({ prompt: 'x', schema: z.object({ n: z.number() }) }, idle());
    await expect(asked).rejects.toMatchObject({
      code: 'NEXUS_MODEL_OUTPUT',
      message: expect.stringMatching(/number.*→ at n/s),
    });
    expect(endpoint.requests).toHaveLength(2);
  });
});

it('waits as long as `retry-after` says, in seconds, milliseconds or as a date, and not once it is cancelled', async () => {
  const inAnHour = new Date(Date.now() + 30_000).toUTCString();
  for (const headers of [
    { 'retry-after': '30' },
    { 'retry-after-ms': '30000' },
    { 'retry-after': inAnHour },
  ]) {
    await using endpoint = await modelEndpoint([{ status: 429, headers }]);
    await using under = startModels(speaking(anthropic, endpoint.url));
    const caller = new AbortController();
    const waits: number[] = [];
    const asked = under.models.generate(
      {
        prompt: 'x',
        onEvent(event) {
          if (event.type !== 'retry') return;
          waits.push(event.waitMs);
          caller.abort(new Error('no time for that'));
        },
      },
      { signal: caller.signal },
    );
    await expect(asked).rejects.toThrow('no time for that');
    expect(waits[0]).toBeGreaterThan(28_000);
    expect(waits[0]).toBeLessThanOrEqual(30_000);
  }
});

it('does not wait for minutes: it says when to come again', async () => {
  await using endpoint = await modelEndpoint([{ status: 429, headers: { 'retry-after': '3600' } }]);
  await using under = startModels(speaking(anthropic, endpoint.url));
  await expect(under.models.generate({ prompt: 'x' }, idle())).rejects.toMatchObject({
    code: 'NEXUS_MODEL_RATE_LIMITED',
    detail: { retryAfterMs: 3_600_000 },
  });
  expect(endpoint.requests).toHaveLength(1);
});

it('a provider that can’t be reached is an error that names the way to it', async () => {
  await using under = startModels({
    ...speaking(anthropic, 'http://127.0.0.1:9'),
    settings: { maxAttempts: 1 },
  });
  await expect(under.models.generate({ prompt: 'x' }, idle())).rejects.toMatchObject({
    code: 'NEXUS_MODEL_UNAVAILABLE',
    message: expect.stringMatching(/anthropic:claude-sonnet-5-5: .*/),
  });
});

it('a call over the budget is not made, and one within it is paid as the provider counted', async () => {
  await using endpoint = await modelEndpoint([{ text: 'here', usage: { input: 1_000_000, output: 1_000 } }]);
  await using under = startModels(speaking(anthropic, endpoint.url));
  const ledger = memoryLedger({ costUsd: 1 });
  const { usage } = await under.models.generate({ prompt: 'x', ledger }, idle());
  expect(usage.costUsd).toBeCloseTo(2 + 0.01);
  expect(ledger.spent).toEqual({ tokens: 1_001_000, costUsd: usage.costUsd });
  await expect(under.models.generate({ prompt: 'x', ledger }, idle())).rejects.toMatchObject({
    code: 'NEXUS_BUDGET_EXCEEDED',
  });
  expect(endpoint.requests).toHaveLength(1);
});

it('what was reserved for a call that failed is free again', async () => {
  await using endpoint = await modelEndpoint([{ status: 400 }, { text: 'here' }]);
  await using under = startModels(speaking(anthropic, endpoint.url));
  const ledger = memoryLedger({ tokens: 9_000 });
  await expect(under.models.generate({ prompt: 'x', ledger }, idle())).rejects.toThrow();
  expect(ledger.spent).toEqual({ tokens: 0, costUsd: 0 });
  expect((await under.models.generate({ prompt: 'x', ledger }, idle())).text).toBe('here');
});

it('a history with an orphan is refused before it is sent', async () => {
  await using endpoint = await modelEndpoint([]);
  await using under = startModels(speaking(anthropic, endpoint.url));
  const prompt = [
    { role: 'user' as const, content: [{ type: 'text' as const, text: 'x' }] },
    { role: 'assistant' as const, content: [{ type: 'tool_use' as const, id: 'a', name: 't', input: {} }] },
    { role: 'user' as const, content: [{ type: 'text' as const, text: 'never mind' }] },
  ];
  await expect(under.models.generate({ prompt }, idle())).rejects.toMatchObject({
    code: 'NEXUS_INVALID_ARGUMENTS',
    message: expect.stringContaining('does not answer the tool use a'),
  });
  expect(endpoint.requests).toEqual([]);
});

it('a key for idempotency reaches the provider', async () => {
  await using endpoint = await modelEndpoint([{ text: 'here' }]);
  await using under = startModels(speaking(anthropic, endpoint.url));
  await under.models.generate({ prompt: 'x', idempotencyKey: 'run-1/step-2' }, idle());
  expect(endpoint.requests[0]?.headers['idempotency-key']).toBe('run-1/step-2');
});
