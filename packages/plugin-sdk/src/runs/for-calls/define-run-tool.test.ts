import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineRunTool } from './define-run-tool.ts';

const tool = defineRunTool({
  name: 'greet',
  title: 'Greet',
  description: 'Greets.',
  input: z.object({ who: z.string().describe('Whom.'), times: z.int().default(1).describe('How often.') }),
  output: z.object({}),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  version: 1,
  run: async () => ({}),
  titleOf: ({ who }) => `Greet ${who}`,
});

it('holds the input of a rerun to the arguments of the tool, and calls the run by it', () => {
  const anew = (input: unknown) => tool.run?.anew?.(input, undefined);
  expect(anew({ who: 'Ann' })).toEqual({ input: { who: 'Ann', times: 1 }, title: 'Greet Ann' });
  expect(() => anew({ who: null })).toThrow(/The input of greet does not fit:\n- who: /);
});
