import type { Span } from '@nexus/plugin-sdk';
import { expect, it } from 'vitest';
import { SpanHub } from './create-spans.ts';

const span: Span = {
  name: 'tools/call look',
  kind: 'server',
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  startMs: 1,
  endMs: 2,
  attributes: { 'gen_ai.tool.call.arguments': 'has SECRET' },
  error: 'has SECRET',
};

function hub(contents: boolean) {
  const faults: unknown[] = [];
  const made = new SpanHub({
    contents,
    redact: (text) => text.replaceAll('SECRET', '***'),
    onFault: (error) => void faults.push(error),
  });
  return { hub: made, faults };
}

it('makes no span that nobody takes', () => {
  const { hub: empty } = hub(false);
  expect(empty.wants({})).toBe(false);
  empty.add({ wants: ({ family }) => family === 'mine', take: () => {} });
  expect([empty.wants({}), empty.wants({ family: 'mine' })]).toEqual([false, true]);
});

it('masks secrets in errors, and in contents where these are told', () => {
  const taken: Span[] = [];
  for (const contents of [false, true]) {
    const { hub: spans } = hub(contents);
    spans.add({ wants: () => true, take: (each) => void taken.push(each) });
    spans.end(span);
  }
  expect(taken.map(({ error }) => error)).toEqual(['has ***', 'has ***']);
  const contents = taken.map(({ attributes }) => attributes['gen_ai.tool.call.arguments']);
  expect(contents).toEqual([undefined, 'has ***']);
});

it('cuts long contents, and only after secrets in them are masked', () => {
  const taken: Span[] = [];
  const { hub: spans } = hub(true);
  spans.add({ wants: () => true, take: (each) => void taken.push(each) });
  const long = `${'x'.repeat(32_765)}SECRET${'y'.repeat(10)}`;
  spans.end({ ...span, attributes: { 'gen_ai.input.messages': long, 'gen_ai.output.messages': 'a SECRET' } });
  expect(taken[0]?.attributes).toEqual({
    'gen_ai.input.messages': `${'x'.repeat(32_765)}***… (10 more characters)`,
    'gen_ai.output.messages': 'a ***',
  });
});

it('gives all the others a span that one can’t take', () => {
  const { hub: spans, faults } = hub(false);
  const taken: Span[] = [];
  spans.add({
    wants: () => true,
    take() {
      throw new Error('full');
    },
  });
  spans.add({ wants: () => true, take: (each) => void taken.push(each) });
  spans.end(span);
  expect([taken.length, faults.length]).toEqual([1, 1]);
});
