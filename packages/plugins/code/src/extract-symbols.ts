import { join } from 'node:path';
import {
  answerRoom,
  type CallContext,
  defineTool,
  fitting,
  jsonLength,
  nextPage,
  ToolError,
} from '@nexus/plugin-sdk';
import { counted, visibleName } from '@nexus/primitives';
import { z } from 'zod';
import { outlineText, symbolLength } from './answers/outline-text.ts';
import { FileSymbol } from './file-symbol.ts';
import { sayReadAs } from './files/say-read-as.ts';
import type { SymbolsWanted } from './parsing/task.ts';
import { listFiles } from './ripgrep/list-files.ts';
import { displayPath } from './roots/display-path.ts';
import { locateFile } from './roots/locate-file.ts';
import { scopeOf } from './roots/scope.ts';
import { targetsOf } from './roots/targets.ts';
import { whyNoFile } from './search/why-nothing.ts';
import type { CodeState } from './state.ts';
import { languageOf, requireLanguage } from './syntax/languages.ts';
import { SYMBOL_KINDS } from './syntax/symbol.ts';
import { Unread, UnreadFiles } from './unread.ts';

const PROGRESS_EVERY_FILES = 50;
const MAX_FAULTS = 100;
/** Of files that are no UTF-8. */
const NOTED_FILES = 20;

export const extractSymbols = defineTool({
  name: 'extract_symbols',
  title: 'Extract symbols',
  description:
    'List what source files declare, to learn their shape without reading them. Give filePath or glob, not both. Reads ts, tsx, js, jsx, py, go, rust, java, c, c++, ruby, php, c# and bash by their syntax. By name: search_codebase, mode symbol.',
  input: z
    .object({
      filePath: z.string().max(4_096).optional().describe('One source file.'),
      glob: z.string().max(500).optional().describe('Source files in all roots, such as src/**/*.ts.'),
      kinds: z.array(z.enum(SYMBOL_KINDS)).max(SYMBOL_KINDS.length).optional().describe('Only these.'),
      mode: z
        .enum(['outline', 'full'])
        .default('outline')
        .describe('full: also what is declared inside functions.'),
      limit: z.number().int().min(1).max(2_000).default(300).describe('Most symbols given.'),
      offset: z.number().int().min(0).max(1_000_000).default(0).describe('Symbols to skip.'),
    })
    .meta({ examples: [{ filePath: 'src/index.ts' }] }),
  output: z.object({
    symbols: z.array(FileSymbol),
    total: z.number(),
    files: z.number(),
    nextOffset: z.number().optional(),
    notes: z.array(z.string()).optional(),
    unread: Unread.optional(),
    syntaxFaults: z
      .array(z.object({ file: z.string(), line: z.number() }))
      .optional()
      .describe('Where a file does not parse by its grammar.'),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  text: outlineText,
  async call({ filePath, glob, kinds, mode, limit, offset }, context: CallContext<CodeState>) {
    const { paths, notes: noted } = await chooseFiles({ filePath, glob }, context);
    const { state, host, signal, progress } = context;
    const symbols: z.output<typeof FileSymbol>[] = [];
    const unread = new UnreadFiles();
    const otherwise: string[] = [];
    const syntaxFaults: { file: string; line: number }[] = [];
    let total = 0;
    let read = 0;
    let done = 0;
    const want = (): SymbolsWanted => ({
      of: 'symbols',
      depth: mode === 'full' ? 'all' : 'outside',
      kinds,
    });
    for await (const parts of state.parsing.parse(
      paths.map((path) => ({ path })),
      { want, signal },
    )) {
      for (const parsed of parts) {
        const file = displayPath(host.projectRoot, paths[done] ?? '');
        done += 1;
        if (done % PROGRESS_EVERY_FILES === 0) progress('Reading symbols', done, paths.length);
        if (parsed.status === 'unreadable' || parsed.status === 'failed') {
          // The caller named this file; those that a glob finds may be left out, as long as it is said.
          if (filePath !== undefined) throw unreadable(file, parsed.reason);
          unread.add(file, parsed.reason);
        }
        if (parsed.status !== 'parsed' || parsed.found.of !== 'symbols') continue;
        read += 1;
        if (parsed.readAs !== undefined) otherwise.push(sayReadAs(visibleName(file), parsed.readAs));
        const skipped = Math.max(0, offset - total);
        total += parsed.found.total;
        for (const line of parsed.found.faultLines.slice(0, MAX_FAULTS - syntaxFaults.length))
          syntaxFaults.push({ file, line });
        const wanted = parsed.found.symbols.slice(skipped, skipped + limit - symbols.length);
        for (const { isLocal: _, ...symbol } of wanted) symbols.push({ file, ...symbol });
      }
    }
    const notes = [...noted, ...firstOf(otherwise)];
    const beside = jsonLength({ notes, syntaxFaults, ...unread.part });
    const shown = fitting(symbols, { room: answerRoom(host.results), textOf: symbolLength, beside });
    return {
      symbols: shown,
      total,
      files: read,
      ...nextPage(offset, shown.length, total),
      ...(notes.length > 0 ? { notes } : {}),
      ...unread.part,
      ...(syntaxFaults.length === 0 ? {} : { syntaxFaults }),
    };
  },
});

function firstOf(notes: readonly string[]): readonly string[] {
  const more = notes.length - NOTED_FILES;
  const rest = `${counted(more, 'other file')} ${more === 1 ? 'is' : 'are'} not UTF-8 either.`;
  return more <= 0 ? notes : [...notes.slice(0, NOTED_FILES), rest];
}

function unreadable(file: string, reason: string): ToolError {
  return new ToolError('NEXUS_FILE_UNREADABLE', `${file} can’t be read for its symbols: ${reason}.`);
}

/** @throws {ToolError} when not exactly one is given, nothing matches, or a named file has no parser */
async function chooseFiles(
  { filePath, glob }: { filePath?: string | undefined; glob?: string | undefined },
  context: CallContext<CodeState>,
): Promise<{ readonly paths: readonly string[]; readonly notes: string[] }> {
  if ((filePath === undefined) === (glob === undefined)) {
    const given = filePath === undefined ? 'neither' : 'both';
    const text = `extract_symbols wants either filePath or glob; ${given} came. For one file: {"filePath": "src/index.ts"}; for many: {"glob": "src/**/*.ts"}.`;
    throw new ToolError('NEXUS_INVALID_ARGUMENTS', text);
  }
  if (filePath !== undefined) {
    const { path, kind } = await locateFile(filePath, context);
    if (kind === 'directory') {
      const text = `${filePath} is a folder. Name a file, or give the glob "${globOf(path, context)}/**".`;
      throw new ToolError('NEXUS_FILE_UNREADABLE', text);
    }
    requireLanguage(filePath);
    return { paths: [path], notes: [] };
  }
  const { state, signal } = context;
  const paths: string[] = [];
  const targets = await targetsOf(undefined, await scopeOf(context));
  let listed = 0;
  for (const { cwd } of targets) {
    const { files } = await listFiles(state.ripgrep, { cwd, glob, signal });
    listed += files.length;
    for (const path of files) if (languageOf(path)) paths.push(join(cwd, path));
  }
  if (paths.length > 0) return { paths, notes: [] };
  const note = await whyNoFile(glob ?? '', targets, context);
  return {
    paths,
    notes: [note ?? `${counted(listed, 'file')} match, none in a language that is read.`],
  };
}

/** Of a folder, as a glob must name it: from the root that it is in. */
function globOf(path: string, { host }: CallContext<CodeState>): string {
  return displayPath(host.projectRoot, path);
}
