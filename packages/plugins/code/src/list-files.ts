import { answerRoom, type CallContext, defineTool, fitting, jsonLength, nextPage } from '@nexus/plugin-sdk';
import { OWN_SENTENCES } from '@nexus/primitives';
import { z } from 'zod';
import { filesText } from './answers/files-text.ts';
import { layoutOf } from './answers/layout.ts';
import { listFiles as listBelow, MAX_LISTED } from './ripgrep/list-files.ts';
import { displayPath } from './roots/display-path.ts';
import { scopeOf } from './roots/scope.ts';
import { targetsOf } from './roots/targets.ts';
import { whyNoFile } from './search/why-nothing.ts';
import type { CodeState } from './state.ts';

export const listFiles = defineTool({
  name: 'list_files',
  title: 'List files',
  description:
    'List the files of a folder and those below it, by path, to learn how a project is laid out. Honours .gitignore. By a part of a name: search_codebase, mode path.',
  input: z.object({
    directory: z.string().max(4_096).optional().describe('Folder to list; default all roots.'),
    glob: z
      .string()
      .max(500)
      .optional()
      .describe('Only matching files, relative to directory: *.ts, src/**, !*.md.'),
    limit: z.number().int().min(1).max(2_000).default(300).describe('Most files given.'),
    offset: z.number().int().min(0).max(1_000_000).default(0).describe('Files to skip.'),
  }),
  aliases: { path: 'directory', folder: 'directory', pattern: 'glob', include: 'glob' },
  output: z.object({
    files: z.array(z.string()),
    total: z.number(),
    nextOffset: z.number().optional(),
    notes: z.array(z.string()).optional(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  text: filesText,
  async call({ directory, glob, limit, offset }, context: CallContext<CodeState>) {
    const { state, host, signal } = context;
    const targets = await targetsOf(directory, await scopeOf(context));
    const page: string[] = [];
    const notes: string[] = [];
    let total = 0;
    for (const { cwd, file } of targets) {
      const listed = await listBelow(state.ripgrep, { cwd, glob, signal });
      if (!listed.isComplete) notes.push(OWN_SENTENCES.notCounted(cwd, MAX_LISTED));
      const found = file === undefined ? listed.files : listed.files.filter((each) => each === file);
      const folder = displayPath(host.projectRoot, cwd);
      const wanted = found.slice(Math.max(0, offset - total), Math.max(0, offset + limit - total));
      for (const path of wanted) page.push(folder === '' ? path : `${folder}/${path}`);
      total += found.length;
      if (offset === 0 && found.length > limit) {
        const where = targets.length > 1 ? `${displayPath(host.projectRoot, cwd) || '.'}: ` : '';
        notes.push(`${where}${await layoutOf(found)}`);
      }
    }
    const hint = total > 0 ? undefined : await whyNoFile(glob, targets, context);
    if (hint !== undefined) notes.push(hint);
    const files = fitting(page, {
      room: answerRoom(host.results),
      textOf: ({ length }) => length + 2,
      beside: jsonLength(notes),
    });
    return { files, total, ...nextPage(offset, files.length, total), ...(notes.length > 0 ? { notes } : {}) };
  },
});
