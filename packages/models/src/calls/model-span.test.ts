import type { Span } from '@nexus/plugin-sdk';
import { expect, it } from 'vitest';
import type { SourceAnswer, SourceRequest } from '../source.ts';
import { modelSpan } from './model-span.ts';

const request = {
  entry: { name: 'some', provider: 'anthropic' },
  system: 'be brief',
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'look' }] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'u1', name: 'see', input: { at: 'x' } }] },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          toolUseId: 'u1',
          content: [
            { type: 'text', text: 'seen' },
            { type: 'image', data: 'AAAA', mimeType: 'image/png' },
          ],
        },
      ],
    },
  ],
} as unknown as SourceRequest;

const answer = {
  content: [
    { type: 'reasoning', text: 'hm' },
    { type: 'text', text: 'done' },
  ],
  stopReason: 'end',
} as unknown as SourceAnswer;

function ended(contents: boolean, given: SourceAnswer | undefined): Span['attributes'] {
  const taken: Span[] = [];
  const spans = { contents, wants: () => true, end: (span: Span) => void taken.push(span) };
  const trace = { traceId: 'a'.repeat(32), parentId: 'b'.repeat(16) };
  const end = modelSpan(spans, trace, { entry: request.entry, request, startedAt: 1 });
  end?.({
    usage: { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0 },
    outcome: given ? 'ok' : 'NEXUS_MODEL_UNAVAILABLE',
    answer: given,
  });
  return taken[0]?.attributes ?? {};
}

const parsed = (value: unknown) => JSON.parse(String(value));

it('tells nothing of what was said unless it is asked to', () => {
  expect(JSON.stringify(ended(false, answer))).not.toMatch(/messages|instructions|look|done/);
});

it('tells what was said in the form of the conventions, without the bytes of images', () => {
  const told = ended(true, answer);
  expect(parsed(told['gen_ai.system_instructions'])).toEqual([{ type: 'text', content: 'be brief' }]);
  expect(parsed(told['gen_ai.input.messages'])).toEqual([
    { role: 'user', parts: [{ type: 'text', content: 'look' }] },
    { role: 'assistant', parts: [{ type: 'tool_call', id: 'u1', name: 'see', arguments: { at: 'x' } }] },
    {
      role: 'user',
      parts: [
        {
          type: 'tool_call_response',
          id: 'u1',
          response: [{ type: 'text', content: 'seen' }, { type: 'image' }],
        },
      ],
    },
  ]);
  expect(parsed(told['gen_ai.output.messages'])).toEqual([
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', content: 'hm' },
        { type: 'text', content: 'done' },
      ],
      finish_reason: 'end',
    },
  ]);
});

it('has no answer to tell of where none came', () => {
  expect(ended(true, undefined)['gen_ai.output.messages']).toBeUndefined();
});
