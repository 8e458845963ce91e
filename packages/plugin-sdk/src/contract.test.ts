import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { type CallContext, definePlugin, defineTool, type ToolHints } from './index.ts';

const annotations: ToolHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

const greet = defineTool({
  name: 'greet',
  title: 'Greet',
  description: 'Greets.',
  input: z.object({ who: z.string(), times: z.int().default(1) }),
  output: z.object({ text: z.string(), count: z.int().default(0) }),
  annotations,
  budget: 'interactive',
  async call(input, context: CallContext<{ greeting: string }>) {
    expectTypeOf(input).toEqualTypeOf<{ who: string; times: number }>();
    expectTypeOf(context.state).toEqualTypeOf<{ greeting: string }>();
    return { text: `${context.state.greeting} ${input.who}` };
  },
});

// Types are checked by `tsc`, which compiles this file; the assertions of values run in vitest.
describe('the types of the contract', () => {
  it('infer input and output from the schemas, and state from an annotated context', () => {
    expectTypeOf(greet.call).parameter(0).toEqualTypeOf<{ who: string; times: number }>();
    expectTypeOf(greet.call).parameter(1).toEqualTypeOf<CallContext<{ greeting: string }>>();
    expectTypeOf(greet.call).returns.resolves.toEqualTypeOf<{ text: string; count?: number | undefined }>();
  });

  it('refuse an answer that the output schema does not allow, a missing hint and an unknown budget', () => {
    const rest = {
      name: 'x',
      title: 'X',
      description: 'X.',
      input: z.object({}),
      output: z.object({ n: z.int() }),
    };
    // @ts-expect-error the answer's n is a number
    defineTool({ ...rest, annotations, budget: 'model', call: async () => ({ n: 'one' }) });
    const { openWorldHint: _, ...three } = annotations;
    // @ts-expect-error all four hints are required
    defineTool({ ...rest, annotations: three, budget: 'model', call: async () => ({ n: 1 }) });
    // @ts-expect-error budgets have five classes
    defineTool({ ...rest, annotations, budget: 'slow', call: async () => ({ n: 1 }) });
  });

  it('infer a plugin’s options from their schema, defaults filled in', () => {
    const plugin = definePlugin({
      name: 'greetings',
      options: z.object({ greeting: z.string().default('Hello') }),
      tools: [greet],
      async start(options, host) {
        expectTypeOf(options).toEqualTypeOf<{ greeting: string }>();
        expectTypeOf(host.projectRoot).toEqualTypeOf<string>();
        return { greeting: options.greeting };
      },
      async stop(state) {
        expectTypeOf(state).toEqualTypeOf<{ greeting: string }>();
      },
    });
    expectTypeOf(plugin.start).returns.resolves.toEqualTypeOf<{ greeting: string }>();
  });
});

describe('a definition', () => {
  it('is the very object its author wrote', () => {
    const plugin = {
      name: 'p',
      options: z.object({}),
      tools: [],
      start: async () => 0,
      stop: async () => {},
    };
    expect(definePlugin(plugin)).toBe(plugin);
    expect(Object.keys(greet)).toEqual([
      'name',
      'title',
      'description',
      'input',
      'output',
      'annotations',
      'budget',
      'call',
    ]);
  });
});
