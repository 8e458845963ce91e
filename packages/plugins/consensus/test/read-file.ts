import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';

/** As the plugin `code` shows a file, in its shape. */
export const readFile = defineTool({
  name: 'read_file',
  title: 'Read file',
  description: 'Reads a file.',
  input: z.object({
    path: z.string().max(300).describe('Which.'),
    lines: z.string().max(30).optional().describe('Of which lines.'),
  }),
  output: z.object({ content: z.array(z.object({ type: z.literal('text'), text: z.string() })) }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  answersWholeResult: true,
  async call({ path, lines: range = '1-' }, { host }) {
    const [from = 1, to = 0] = range.split('-').map(Number);
    const file = resolve(host.projectRoot, path);
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    const shown = lines.slice(from - 1, to === 0 ? undefined : to);
    const head = `${relative(host.projectRoot, file)}: lines ${from} to ${from + shown.length - 1} of ${lines.length} lines.`;
    const text = [head, ...shown.map((line, at) => `${from + at}\t${line}`)].join('\n');
    return { content: [{ type: 'text' as const, text }] };
  },
});
