import type { Span } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import { measurementsOf, metrics, spanTypes, typeOf } from './conventions.ts';

const span: Span = {
  name: 'chat some',
  kind: 'client',
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  startMs: 1_000,
  endMs: 3_500,
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'anthropic',
    'gen_ai.request.model': 'some',
    'gen_ai.usage.input_tokens': 100,
    'gen_ai.usage.output_tokens': 10,
    'nexus.cost.usd': 1,
  },
};

describe('the table of the conventions', () => {
  it('measures duration and tokens of a model’s call, with the attributes of its metric alone', () => {
    const found = measurementsOf(span).map(({ metric, value }) => [metric.name, value]);
    expect(found).toEqual([
      ['gen_ai.client.inference.duration', 2.5],
      ['gen_ai.client.inference.usage.input_tokens', 100],
      ['gen_ai.client.inference.usage.output_tokens', 10],
      ['gen_ai.client.inference.operation.input_tokens', 100],
      ['gen_ai.client.inference.operation.output_tokens', 10],
    ]);
    const [duration, usage] = measurementsOf(span);
    expect(Object.keys(duration?.attributes ?? {})).toEqual([
      'gen_ai.operation.name',
      'gen_ai.provider.name',
      'gen_ai.request.model',
    ]);
    expect(usage?.attributes).toMatchObject({ 'gen_ai.token.modality': 'unknown' });
  });

  it('has metrics only of spans that are made, and reads from them only what they have', () => {
    for (const { name, of, attributes, counts } of metrics) {
      const { required, optional } = spanTypes[of];
      const known: readonly string[] = [...required, ...optional];
      for (const attribute of [...attributes, ...(counts === undefined ? [] : [counts])]) {
        expect(known, `${name} reads ${attribute}`).toContain(attribute);
      }
    }
  });

  it('tells the kinds of span apart', () => {
    const of = (kind: Span['kind'], attributes: Span['attributes']) => typeOf({ kind, attributes });
    expect(of('server', {})).toBe('mcp.server');
    expect(of('client', { 'mcp.method.name': 'tools/call' })).toBe('mcp.client');
    expect(of('client', {})).toBe('gen_ai.client.inference');
    for (const [operation, type] of [
      ['execute_tool', 'gen_ai.execute_tool.internal'],
      ['invoke_agent', 'gen_ai.invoke_agent.internal'],
      ['invoke_workflow', 'gen_ai.invoke_workflow.internal'],
    ] as const) {
      expect(of('internal', { 'gen_ai.operation.name': operation })).toBe(type);
    }
    expect(of('internal', { 'nexus.step.kind': 'sleep' })).toBe('internal');
  });
});
