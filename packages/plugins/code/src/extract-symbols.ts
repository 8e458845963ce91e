import { basename, join } from 'node:path';
import { type CallContext, defineTool, ToolError } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { FileSymbol } from './file-symbol.ts';
import { createPause } from './files/pause.ts';
import { readText } from './files/read-text.ts';
import { listFiles } from './ripgrep/list-files.ts';
import { displayPath } from './roots/display-path.ts';
import { locate } from './roots/locate.ts';
import { targetsOf } from './roots/targets.ts';
import type { CodeState } from './state.ts';
import { declarationsIn } from './syntax/declarations.ts';
import { languageOf, requireLanguage } from './syntax/languages.ts';
import { SYMBOL_KINDS } from './syntax/symbol.ts';

const PROGRESS_EVERY_FILES = 50;

export const extractSymbols = defineTool({
  name: 'extract_symbols',
  title: 'Extract symbols',
  description:
    'List what source files declare, to learn their shape without reading them. Give filePath or glob, not both. Reads ts, tsx, js, jsx, py, go, rust, java, c (by the C++ grammar), c++, ruby, php, c# and bash by their syntax; resolves no types or imports. To find a symbol by name use search_codebase, mode symbol.',
  input: z.object({
    filePath: z
      .string()
      .max(4_096)
      .optional()
      .describe('One source file.')
      .meta({ examples: ['src/index.ts'] }),
    glob: z.string().max(500).optional().describe('Source files in all roots, such as src/**/*.ts.'),
    kinds: z.array(z.enum(SYMBOL_KINDS)).max(SYMBOL_KINDS.length).optional().describe('Only these.'),
    mode: z
      .enum(['outline', 'full'])
      .default('outline')
      .describe('full: also what is declared inside functions.'),
    limit: z.number().int().min(1).max(2_000).default(300).describe('Most symbols given.'),
  }),
  output: z.object({
    symbols: z.array(FileSymbol),
    total: z.number(),
    files: z.number(),
    skipped: z.array(z.string()).optional(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call({ filePath, glob, kinds, mode, limit }, context: CallContext<CodeState>) {
    const paths = await chooseFiles({ filePath, glob }, context);
    const { state, host, signal, progress } = context;
    const pause = createPause();
    const symbols = [];
    const skipped: string[] = [];
    let total = 0;
    for (const [done, path] of paths.entries()) {
      signal.throwIfAborted();
      const file = displayPath(host.projectRoot, path);
      const language = requireLanguage(file);
      const text = await readText(path, { shown: file, maxBytes: state.maxFileBytes }).catch(
        (error: unknown) => {
          // The caller named this file; those that a glob finds may be skipped, as long as it is said.
          if (filePath !== undefined || !(error instanceof ToolError)) throw error;
          skipped.push(error.message);
        },
      );
      if (text === undefined) continue;
      const declarations = declarationsIn(text, language, await state.parsers.load(language));
      for (const { symbol, isLocal } of declarations) {
        if ((isLocal && mode === 'outline') || (kinds && !kinds.includes(symbol.kind))) continue;
        total += 1;
        if (symbols.length < limit) symbols.push({ file, ...symbol });
      }
      if (done % PROGRESS_EVERY_FILES === PROGRESS_EVERY_FILES - 1)
        progress('Reading symbols', done + 1, paths.length);
      await pause();
    }
    return {
      symbols,
      total,
      files: paths.length - skipped.length,
      ...(skipped.length > 0 ? { skipped } : {}),
    };
  },
});

/** @throws {ToolError} when not exactly one is given, nothing matches, or a named file has no parser */
async function chooseFiles(
  { filePath, glob }: { filePath?: string | undefined; glob?: string | undefined },
  { state, roots, signal }: CallContext<CodeState>,
): Promise<string[]> {
  if ((filePath === undefined) === (glob === undefined)) {
    const given = filePath === undefined ? 'neither' : 'both';
    const text = `extract_symbols wants either filePath or glob; ${given} came. For one file: {"filePath": "src/index.ts"}; for many: {"glob": "src/**/*.ts"}.`;
    throw new ToolError('NEXUS_INVALID_ARGUMENTS', text);
  }
  if (filePath !== undefined) {
    const { path, kind } = await locate(filePath, await roots());
    if (kind === 'directory') {
      const text = `${filePath} is a folder. Name a file, or give the glob "${basename(path)}/**".`;
      throw new ToolError('NEXUS_FILE_UNREADABLE', text);
    }
    requireLanguage(filePath);
    return [path];
  }
  const found: string[] = [];
  for (const { cwd } of await targetsOf(undefined, await roots())) {
    const listed = await listFiles(state.ripgrep, { cwd, glob, signal });
    found.push(...listed.filter((path) => languageOf(path)).map((path) => join(cwd, path)));
  }
  return found;
}
