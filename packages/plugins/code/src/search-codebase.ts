import {
  answerRoom,
  type CallContext,
  defineTool,
  fitting,
  jsonLength,
  nextPage,
  ToolError,
} from '@nexus/plugin-sdk';
import { counted, OWN_SENTENCES } from '@nexus/primitives';
import { z } from 'zod';
import { hitLength, hitsText, withNearest } from './answers/hits-text.ts';
import { scopeOf } from './roots/scope.ts';
import { targetsOf } from './roots/targets.ts';
import { findLines } from './search/find-lines.ts';
import { findPaths } from './search/find-paths.ts';
import { findSymbols, type SymbolQuery } from './search/find-symbols.ts';
import { whyNothing } from './search/why-nothing.ts';
import type { CodeState } from './state.ts';
import { Unread } from './unread.ts';

const Hit = z.object({
  file: z.string(),
  line: z.number().optional(),
  text: z.string(),
  context: z.array(z.string()),
  symbol: z.string().optional(),
  kind: z.string().optional(),
});

interface Found {
  readonly hits: readonly z.output<typeof Hit>[];
  readonly total: number;
  readonly totalIsLowerBound?: boolean;
  readonly unread?: z.output<typeof Unread>;
  readonly notes?: string[];
}

export const searchCodebase = defineTool({
  name: 'search_codebase',
  title: 'Search the codebase',
  description:
    'Find text, declarations or files. text: literally; regex: ripgrep’s, by line, (?i) for any case; symbol: declarations whose name contains it, nearest first, also Parent.name, languages as extract_symbols; path: files by a part of their path. Honours .gitignore. Uses of a name: search_usages.',
  input: z.object({
    query: z.string().min(1).max(1_000).describe('What to look for.'),
    mode: z.enum(['text', 'regex', 'symbol', 'path']).default('text').describe('How to look.'),
    directory: z.string().max(4_096).optional().describe('Folder or file to search; default all roots.'),
    glob: z
      .string()
      .max(500)
      .optional()
      .describe('Only matching files, relative to directory: *.ts, src/**, !*.md.'),
    context: z.number().int().min(0).max(20).default(2).describe('Lines before and after each hit.'),
    limit: z.number().int().min(1).max(200).default(20).describe('Most hits given.'),
    offset: z.number().int().min(0).max(100_000).default(0).describe('Hits to skip.'),
  }),
  aliases: {
    pattern: 'query',
    regex: 'query',
    text: 'query',
    path: 'directory',
    folder: 'directory',
    include: 'glob',
  },
  output: z.object({
    hits: z.array(Hit),
    total: z.number(),
    nextOffset: z.number().optional(),
    totalIsLowerBound: z.boolean().optional(),
    unread: Unread.optional(),
    notes: z.array(z.string()).optional(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  text: hitsText,
  async call({ query, mode, directory, ...page }, context: CallContext<CodeState>) {
    if (hasLineBreak(query, mode)) throw ofOneLine();
    const targets = await targetsOf(directory, await scopeOf(context));
    const search = { query, mode, targets, ...page };
    const { hits: found, notes: said = [], ...rest } = await findHits(search, context);
    const room = answerRoom(context.host.results);
    const beside = jsonLength({ said, ...rest }) + BESIDE;
    const { hits, lines } = wholeLines(
      fitting(found, { room, textOf: hitLength, beside }),
      room - 2 * beside,
    );
    const { glob, offset } = page;
    const hints =
      rest.total > 0 ? [] : await whyNothing({ pattern: query, mode, glob, directory, targets }, context);
    const notes = [...said, ...hints, ...lines];
    return {
      hits,
      ...rest,
      ...nextPage(offset, hits.length, rest.total),
      ...(notes.length > 0 ? { notes } : {}),
    };
  },
});

/** What the answer says besides: the page, its names, and that a hit has fewer lines around it. */
const BESIDE = 60;

/** One that no answer holds with all that was asked to be around it has the nearest lines, and the rest is named. */
function wholeLines(hits: readonly z.output<typeof Hit>[], room: number) {
  const [only, other] = hits;
  if (!only || other || jsonLength(only) + hitLength(only) <= room) return { hits: [...hits], lines: [] };
  const hit = withNearest(only, room - NOTE_CHARS);
  const left = only.context.length - hit.context.length;
  const note = OWN_SENTENCES.linesAround(
    `${left} of ${counted(only.context.length, 'line')}`,
    left === 1 ? 'has' : 'have',
    left === 1 ? 'it' : 'them',
  );
  return { hits: [{ ...hit, context: [...hit.context] }], lines: left === 0 ? [] : [note] };
}

/** In text and structure. */
const NOTE_CHARS = 150;

interface Search extends SymbolQuery {
  readonly mode: 'text' | 'regex' | 'symbol' | 'path';
}

function findHits({ mode, ...search }: Search, context: CallContext<CodeState>): Promise<Found> {
  if (mode === 'symbol') return findSymbols(search, context);
  if (mode === 'path') return findPaths(search, context);
  const { query: pattern, ...rest } = search;
  return findLines({ pattern, syntax: mode, ...rest }, context);
}

/** ripgrep looks line by line, and would say so by an option that no argument gives. */
function hasLineBreak(query: string, mode: string): boolean {
  return query.includes('\n') || (mode === 'regex' && /(?<!\\)(?:\\\\)*\\n/.test(query));
}

function ofOneLine(): ToolError {
  const text =
    'query has a line break, and lines are searched one by one. Look for one of its lines, and set context to see those around it.';
  return new ToolError('NEXUS_INVALID_PATTERN', text);
}
