import { readFile, stat } from 'node:fs/promises';
import { ToolError } from '@nexus/plugin-sdk';
import { counted } from '@nexus/primitives';
import { z } from 'zod';
import { treePath } from '../tree-path.ts';
import { path, type TreeTool, type TreeWork, treeTool } from './tree-tool.ts';

const MAX_FILE_BYTES = 2 * 1024 * 1024;
const DEFAULT_LINES = 400;

export function readTreeFile(work: TreeWork): TreeTool {
  return treeTool(
    {
      name: 'read_file',
      description: 'Lines of a text file, each after its number and a tab.',
      input: z.object({
        path,
        from: z.int().min(1).default(1).describe('The first line.'),
        lines: z.int().min(1).max(2_000).default(DEFAULT_LINES).describe('How many.'),
      }),
      isReadOnly: true,
      isRepeatable: true,
      async run({ path: typed, from, lines }, { top }) {
        const text = await readText(top, typed);
        const all = text.split('\n');
        const shown = all.slice(from - 1, from - 1 + lines);
        if (shown.length === 0) return `${typed} has ${counted(all.length, 'line')}.`;
        const rest = all.length - (from - 1 + shown.length);
        const numbered = shown.map((line, index) => `${from + index}\t${line}`);
        return [...numbered, ...(rest > 0 ? [`(${counted(rest, 'more line')})`] : [])].join('\n');
      },
    },
    work,
  );
}

/** @throws {ToolError} NEXUS_NOT_FOUND, NEXUS_FILE_UNREADABLE, NEXUS_OUTSIDE_ROOTS */
export async function readText(top: string, typed: string): Promise<string> {
  const { path: file, kind } = await treePath(top, typed);
  if (kind === 'none')
    throw new ToolError('NEXUS_NOT_FOUND', `There is no ${typed}. list_files has what there is.`);
  if (kind === 'directory')
    throw new ToolError('NEXUS_FILE_UNREADABLE', `${typed} is a folder: use list_files.`);
  const { size } = await stat(file);
  if (size > MAX_FILE_BYTES) {
    const text = `${typed} has ${size} bytes, and ${MAX_FILE_BYTES} are read at most. search_files finds lines in it.`;
    throw new ToolError('NEXUS_FILE_UNREADABLE', text);
  }
  const bytes = await readFile(file);
  if (bytes.includes(0)) throw new ToolError('NEXUS_FILE_UNREADABLE', `${typed} is no text file.`);
  return bytes.toString('utf8');
}
