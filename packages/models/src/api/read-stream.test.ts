import type { LanguageModelV3FinishReason, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import type { ModelEvent } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import type { SourceRequest } from '../source.ts';
import { readStream } from './read-stream.ts';
import { wireNames } from './wire-names.ts';

const tokens = {
  inputTokens: { total: 12, noCache: 2, cacheRead: 10, cacheWrite: 0 },
  outputTokens: { total: 3, text: 3, reasoning: 0 },
};
/** The provider's own word and what its library makes of it. */
function finish(
  ...[raw = 'end', unified = 'stop']: readonly [
    raw?: string | null,
    unified?: LanguageModelV3FinishReason['unified'],
  ]
): LanguageModelV3StreamPart {
  return { type: 'finish', finishReason: { raw: raw ?? undefined, unified }, usage: tokens };
}

function read(...parts: LanguageModelV3StreamPart[]) {
  const events: ModelEvent[] = [];
  const request = {
    tools: [{ name: 'look', description: '', inputSchema: {} }],
    emit: (event: ModelEvent) => events.push(event),
  } as unknown as SourceRequest; // only these two are read
  const answer = readStream(ReadableStream.from(parts), request, wireNames());
  return { answer, events };
}

const call = (input: string, toolName = 'look'): LanguageModelV3StreamPart => ({
  type: 'tool-call',
  toolCallId: 'c1',
  toolName,
  input,
});

describe('a provider’s answer', () => {
  it('is given up where it says more than any model does', async () => {
    const delta = 'x'.repeat(1_000_000);
    const parts = Array.from({ length: 5 }, () => ({ type: 'text-delta' as const, id: '1', delta }));
    const { answer, events } = read({ type: 'text-start', id: '1' }, ...parts, finish());
    await expect(answer).rejects.toMatchObject({
      kind: 'rejected',
      message: expect.stringContaining('more than 4000000 characters'),
    });
    expect(events).toHaveLength(4);
  });

  it('has a fault where its arguments for a tool hold more than a tool takes, and they are not read', async () => {
    const many = JSON.stringify(
      Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`k${at}`, at])),
    );
    const { answer } = read(call(many), finish());
    const [use] = (await answer).content;
    expect(use).toMatchObject({ input: {}, fault: expect.stringContaining('more than 10000 members') });
  });

  it('has its blocks in the order in which they end, each shown as it grows, with their marks', async () => {
    const { answer, events } = read(
      { type: 'reasoning-start', id: '1' },
      { type: 'text-start', id: '2' },
      { type: 'reasoning-delta', id: '1', delta: 'hm', providerMetadata: { anthropic: { signature: 's' } } },
      { type: 'text-delta', id: '2', delta: 'It ' },
      { type: 'text-delta', id: '2', delta: '' },
      { type: 'reasoning-end', id: '1' },
      { type: 'text-delta', id: '2', delta: 'is.' },
      { type: 'text-end', id: '2' },
      finish(),
    );
    expect(await answer).toEqual({
      content: [
        { type: 'reasoning', text: 'hm', _meta: { anthropic: { signature: 's' } } },
        { type: 'text', text: 'It is.' },
      ],
      stopReason: 'end',
      usage: { inputTokens: 12, outputTokens: 3, cachedInputTokens: 10 },
    });
    expect(events).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'It ' },
      { type: 'text', text: 'is.' },
    ]);
  });

  it.each([
    ['an object', '{"a":1}', { a: 1 }, undefined],
    ['nothing at all', ' ', {}, undefined],
    ['what is cut off', '{"a":', {}, 'its arguments are no JSON object'],
    ['a list', '[1]', {}, 'its arguments are no JSON object'],
  ])(
    'with %s for a tool’s arguments calls it or says what is wrong',
    async (_what, input, understood, fault) => {
      const { content, stopReason } = await read(call(input), finish('tool_use', 'tool-calls')).answer;
      expect(stopReason).toBe('tool_use');
      expect(content).toEqual([
        {
          type: 'tool_use',
          id: 'c1',
          name: 'look',
          input: understood,
          ...(fault === undefined ? {} : { fault }),
        },
      ]);
    },
  );

  it('that names a tool which there is not is not told that its arguments are at fault', async () => {
    const { content } = await read(call('{"a":', 'nope'), finish()).answer;
    expect(content).toEqual([{ type: 'tool_use', id: 'c1', name: 'nope', input: {} }]);
  });

  it.each([
    ['stops without an end', [], 'unavailable', /stopped in the middle/],
    ['ends without the provider’s own word', [finish(null, 'other')], 'unavailable', /in the middle/],
    ['is held back', [finish('safety', 'content-filter')], 'refused', /declined.*safety/],
    ['is refused', [finish('refusal')], 'refused', /declined.*refusal/],
    ['breaks off', [{ type: 'error', error: { type: 'rate_limit_error' } }], 'rate_limited', /./],
  ] as const)('that %s is a failure', async (_what, parts, kind, message) => {
    const { answer } = read(...parts);
    await expect(answer).rejects.toMatchObject({ kind, message: expect.stringMatching(message) });
  });

  it.each([
    ['max_tokens', 'length', 'length'],
    ['pause_turn', 'other', 'other'],
  ] as const)('that ends by %s says so', async (raw, unified, stopReason) => {
    expect((await read(finish(raw, unified)).answer).stopReason).toBe(stopReason);
  });
});
