import type { AnyTool, CallContext } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fixtureTool } from '../../test/fixture-tools.ts';
import type { CallerContext } from './registered-tool.ts';

const context = { signal: new AbortController().signal } as CallerContext;

describe('a plugin’s tool', () => {
  it('has what its caller brings, read when it is asked for, and is told what to write where it spreads that', async () => {
    const tool = (call: AnyTool['call']) => fixtureTool({ output: z.looseObject({}), call });
    const late = { signal: new AbortController().signal, user: 'ada' } as CallerContext;
    const named = tool(async (_, { signal, user, attach, label }) => {
      attach({ type: 'text', text: 'beside' });
      label({});
      return { isAborted: signal.aborted, user };
    });
    const caller = Object.assign(late, { label() {} });
    expect((await named.run({}, caller)).structuredContent).toEqual({ isAborted: false, user: 'ada' });
    const spreading = tool(async (_, context) => ({ ...context }));
    await expect(spreading.run({}, caller)).rejects.toThrow('write contextWith(context, { signal })');
  });

  it('refuses an argument that its schema does not declare', () => {
    const tool = fixtureTool({ input: z.object({ query: z.string() }) });
    expect(tool.validate({ query: 'x', limitt: 5 })).toEqual({
      ok: false,
      issues: [{ path: 'limitt', message: 'no such argument' }],
    });
    expect(tool.listing.inputSchema).toMatchObject({ additionalProperties: false });
  });

  it('stays strict, and keeps its rules, when the schema has rules of its own', () => {
    const input = z.object({ a: z.number(), b: z.number() }).refine(({ a, b }) => a < b, 'a must be below b');
    const tool = fixtureTool({ input });
    expect(tool.validate({ a: 2, b: 1 })).toEqual({
      ok: false,
      issues: [{ path: '', message: 'a must be below b' }],
    });
    expect(tool.validate({ a: 1, b: 2, c: 3 }).ok).toBe(false);
  });

  it('takes any argument where its author made the schema loose', () => {
    expect(fixtureTool({ input: z.looseObject({}) }).validate({ any: 1 })).toEqual({
      ok: true,
      value: { any: 1 },
    });
  });

  it('gives paths of nested faults with their indexes', () => {
    const tool = fixtureTool({ input: z.object({ ops: z.array(z.strictObject({ tool: z.string() })) }) });
    const validation = tool.validate({ ops: [{ tool: 1, extra: 2 }] });
    expect(validation.ok ? [] : validation.issues.map((issue) => issue.path)).toEqual([
      'ops.0.tool',
      'ops.0.extra',
    ]);
  });

  it('knows which declared properties a value fits, and none that objects inherit', () => {
    const tool = fixtureTool({ input: z.object({ limit: z.number() }) });
    expect(tool.fits('limit', 5)).toBe(true);
    expect(tool.fits('limit', '5')).toBe(false);
    expect(tool.fits('other', 5)).toBe(false);
    expect(tool.fits('constructor', 5)).toBe(false);
    expect(tool.fits('__proto__', {})).toBe(false);
  });

  it('lists the dialect of a schema that names it', () => {
    const $schema = 'https://json-schema.org/draft/2020-12/schema';
    const tool = fixtureTool({ input: z.strictObject({ n: z.int() }).meta({ $schema }) });
    expect(tool.listing.inputSchema).toMatchObject({ $schema, properties: { n: { type: 'integer' } } });
  });

  it('lists a portable schema: no dialect, no bounds of zod’s own, none that go without saying', () => {
    const tool = fixtureTool({
      input: z.object({
        n: z.int().describe('A number.'),
        d: z.int().min(0).default(3),
        e: z.int().min(2).max(9).default(3),
        skip: z.int().min(0).max(9).default(0),
        facts: z.record(z.string().max(20), z.unknown()).default({}),
        kinds: z.partialRecord(z.enum(['a', 'b']), z.string()).optional(),
      }),
    });
    expect(tool.listing.inputSchema).toEqual({
      type: 'object',
      properties: {
        n: { type: 'integer', description: 'A number.' },
        d: { type: 'integer', default: 3 },
        e: { type: 'integer', minimum: 2, maximum: 9, default: 3 },
        skip: { type: 'integer', maximum: 9 },
        facts: { type: 'object', additionalProperties: {} },
        kinds: {
          type: 'object',
          propertyNames: { type: 'string', enum: ['a', 'b'] },
          additionalProperties: { type: 'string' },
        },
      },
      required: ['n'],
      additionalProperties: false,
    });
    expect(tool.listing.annotations).toEqual(tool.hints);
  });

  it('answers with structured content and the same as text, as its output schema reads it', async () => {
    const tool = fixtureTool({
      output: z.object({ n: z.number() }),
      call: async () => ({ n: 1, secret: 'x' }),
    });
    expect(await tool.run({}, context)).toEqual({
      content: [{ type: 'text', text: '{"n":1}' }],
      structuredContent: { n: 1 },
    });
  });

  it('never passes on an answer that is not what it promised', async () => {
    const tool = fixtureTool({ output: z.object({ n: z.number() }), call: async () => ({ n: 'one' }) });
    await expect(tool.run({}, context)).rejects.toThrow('echo answered against its output schema');
  });

  it('lists no output schema as a relay, and answers with the other tool’s result as it is', async () => {
    const result = { content: [{ type: 'text', text: 'x' }], isError: true, _meta: { a: 1 }, more: [1] };
    const tool = fixtureTool({
      answersWholeResult: true,
      output: z.looseObject({ content: z.array(z.unknown()) }),
      call: async () => result,
    });
    expect(tool.listing).not.toHaveProperty('outputSchema');
    expect(await tool.run({}, context)).toEqual(result);
  });

  it('is called with the plugin’s state and host', async () => {
    const call = async (_: unknown, { state, host }: CallContext) => ({ state, root: host.projectRoot });
    expect((await fixtureTool({ call }).run({}, context)).structuredContent).toEqual({
      state: 'the state',
      root: '/project',
    });
  });
});
