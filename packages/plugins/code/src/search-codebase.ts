import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { scopeOf } from './roots/scope.ts';
import { targetsOf } from './roots/targets.ts';
import { findLines } from './search/find-lines.ts';
import { findPaths } from './search/find-paths.ts';
import { findSymbols } from './search/find-symbols.ts';
import type { CodeState } from './state.ts';
import { Unread } from './unread.ts';

export const searchCodebase = defineTool({
  name: 'search_codebase',
  title: 'Search the codebase',
  description:
    'Find text, declarations or files. Modes: text takes the query literally; regex is ripgrep’s, line by line, (?i) for any case; symbol finds declarations whose name contains it, nearest first, also as Parent.name, in the languages of extract_symbols; path finds files by a part of their path. Honours .gitignore; skips binary and very large files. Does not search by meaning; for all uses of a name take search_usages.',
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
    offset: z.number().int().min(0).max(100_000).default(0).describe('Hits to skip, to page.'),
  }),
  output: z.object({
    hits: z.array(
      z.object({
        file: z.string(),
        line: z.number().optional(),
        text: z.string(),
        context: z.array(z.string()),
        symbol: z.string().optional(),
        kind: z.string().optional(),
      }),
    ),
    total: z.number(),
    totalIsLowerBound: z.boolean().optional(),
    unread: Unread.optional(),
    notes: z.array(z.string()).optional(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call({ query, mode, directory, ...page }, context: CallContext<CodeState>) {
    const targets = await targetsOf(directory, await scopeOf(context));
    if (mode === 'symbol') return findSymbols({ query, targets, ...page }, context);
    if (mode === 'path') return findPaths({ query, targets, ...page }, context);
    return findLines({ pattern: query, syntax: mode, targets, ...page }, context);
  },
});
