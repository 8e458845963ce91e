import { type AnyTool, defineRunTool } from '@nexus/plugin-sdk';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { bundledPlugins } from './bundled-plugins.ts';

type Schema = Readonly<Record<string, unknown>>;

/** The least that fits. */
function least(schema: Schema): unknown {
  const { anyOf, enum: values, const: only, type, properties = {}, required = [], items, minItems } = schema;
  if (only !== undefined) return only;
  if (Array.isArray(values)) return values[0];
  if (Array.isArray(anyOf)) return least(anyOf[0] as Schema);
  if (type === 'object') {
    const of = properties as Readonly<Record<string, Schema>>;
    return Object.fromEntries((required as readonly string[]).map((name) => [name, least(of[name] ?? {})]));
  }
  if (type === 'array') return Array.from({ length: Number(minItems ?? 0) }, () => least(items as Schema));
  return { string: 'x', number: 1, integer: 1, boolean: true }[String(type)] ?? {};
}

const runTools = bundledPlugins
  .flatMap(({ tools }) => tools as readonly AnyTool[])
  .filter(({ run }) => run !== undefined);

it.each(runTools.map((tool) => [tool.name, tool] as const))(
  'the text of %s ends with one line of calls, tokens, cost and time',
  (_, { output, text }) => {
    const said = {
      ...(least(z.toJSONSchema(output, { io: 'output', unrepresentable: 'any' })) as object),
      runId: 'run_1',
      usage: { calls: 3, inputTokens: 100, outputTokens: 20, costUsd: 0.5 },
      tookMs: 1_500,
    };
    const lines = text?.(said).split('\n') ?? [];
    expect(lines.filter((line) => line.includes('model call'))).toEqual([lines.at(-1)]);
    expect(lines.slice(-2)).toEqual([
      expect.stringContaining('nexus://runs/run_1'),
      '3 model calls; 100 tokens in, 20 out; $0.5000; 1.5 s',
    ]);
  },
);

it('is said by a tool without a text of its own after its answer as JSON', () => {
  const { text } = defineRunTool({
    ...{ name: 'tried', title: 'Try', description: 'Tries.', version: 1, budget: 'pipeline' },
    ...{ input: z.object({}), output: z.object({ isTried: z.boolean() }) },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: async () => ({ isTried: true }),
  });
  const usage = { calls: 0, inputTokens: 0, outputTokens: 0 };
  expect(text?.({ isTried: true, runId: 'run_1', usage, tookMs: 100 } as { isTried: boolean })).toMatch(
    /^{"isTried":true}\n\n---\n[^\n]*nexus:\/\/runs\/run_1\nno model asked; 0\.1 s$/,
  );
});

it('is of every tool that works by steps', () => {
  expect(runTools.map(({ name }) => name).sort()).toEqual(
    expect.arrayContaining(['consensus_vote', 'execute_expert', 'execute_spec', 'orchestrate', 'pr_review']),
  );
});
