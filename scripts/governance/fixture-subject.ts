import { type AnyTool, definePlugin, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { memoryWorkspace } from '../workspace/memory-workspace.ts';
import type { Subject } from './check.ts';

/** A tool that every check accepts, for the tests of checks to break in one place. */
export function fixtureTool(changes: Partial<AnyTool> = {}): AnyTool {
  return {
    ...defineTool({
      name: 'count_words',
      title: 'Count words',
      description: 'Counts the words of a text. Use it for a word limit. Does not count tokens.',
      input: z.object({ text: z.string().max(1000).describe('The text to count the words of.') }),
      output: z.object({ words: z.int() }),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      budget: 'interactive',
      call: async ({ text }) => ({ words: text.split(/\s+/).length }),
    }),
    ...changes,
  };
}

export interface SubjectParts {
  readonly files?: Readonly<Record<string, string | object>>;
  readonly tools?: readonly AnyTool[];
}

export function fixtureSubject({ files = {}, tools = [fixtureTool()] }: SubjectParts = {}): Subject {
  const plugin = definePlugin({
    name: 'words',
    options: z.object({ maxWords: z.int().min(1).default(100).describe('Longer texts are refused.') }),
    tools,
    start: async () => ({}),
    async stop() {},
  });
  return {
    workspace: memoryWorkspace(files),
    plugins: [plugin],
    configSchema: z.object({
      server: z
        .strictObject({ name: z.string().max(64).default('nexus').describe('The name hosts see.') })
        .prefault({})
        .describe('What the server says of itself.'),
    }),
  };
}
