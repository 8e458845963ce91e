import { defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** A tool that answers this, as JSON. */
export function jsonTool(name: string, answer: Readonly<Record<string, unknown>>) {
  return defineTool({
    name,
    title: 'Answers JSON',
    description: 'Answers the same JSON each time.',
    input: z.object({}),
    output: z.looseObject({}),
    annotations: reads,
    budget: 'interactive',
    call: async () => answer,
  });
}

export function textTool(name: string, text: string) {
  return defineTool({
    ...jsonTool(name, {}),
    output: z.looseObject({ content: z.array(z.looseObject({})) }),
    answersWholeResult: true,
    call: async () => ({ content: [{ type: 'text', text }] }),
  });
}

/** Two tools of a server for files, and how often they ran. */
export function filesTools() {
  const calls: unknown[] = [];
  const listFiles = defineTool({
    name: 'list_files',
    title: 'List files',
    description: 'Lists the files of a folder.',
    input: z.object({ folder: z.string().default('.').describe('Which.') }),
    output: z.object({ files: z.array(z.string()) }),
    annotations: reads,
    budget: 'interactive',
    async call(input) {
      calls.push(input);
      return { files: [`${input.folder}/a.txt`] };
    },
  });
  const readFile = defineTool({
    name: 'read_file',
    title: 'Read file',
    description: 'Reads a text file.\nGives its content.',
    input: z.object({
      path: z.string().describe('Which file.'),
      limit: z.int().default(10).describe('How many lines.'),
    }),
    output: z.looseObject({ content: z.array(z.looseObject({ type: z.string() })) }),
    annotations: reads,
    budget: 'interactive',
    answersWholeResult: true,
    async call(input) {
      calls.push(input);
      return {
        content: [{ type: 'text', text: `of ${input.path}`, unknown: 1 }],
        isError: input.path === 'none',
        _meta: { 'files/key': true },
        unknownKey: 'kept',
      };
    },
  });
  return { tools: [listFiles, readFile], calls };
}
