import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { targetsOf } from './roots/targets.ts';
import { findLines } from './search/find-lines.ts';
import { findPaths } from './search/find-paths.ts';
import { findSymbols } from './search/find-symbols.ts';
import type { CodeState } from './state.ts';
import { SYMBOL_KINDS } from './syntax/symbol.ts';

export const searchCodebase = defineTool({
  name: 'search_codebase',
  title: 'Search the codebase',
  description:
    'Find where something stands in the project’s files. Modes: "text" takes the query literally, "regex" as a ripgrep regular expression (both line by line and case-sensitive; (?i) in a regex changes that); "symbol" finds declarations whose name contains it, nearest first, also as Parent.name, in the languages of extract_symbols; "path" finds files by a part of their path. .gitignore is honoured; binary and very large files are skipped. Gives hits with the lines around them, and the total. Does not search by meaning; for all uses of a name take search_usages.',
  input: z.object({
    query: z.string().min(1).max(1_000).describe('What to look for, as the mode says.'),
    mode: z.enum(['text', 'regex', 'symbol', 'path']).default('text').describe('How the query is read.'),
    directory: z
      .string()
      .min(1)
      .max(4_096)
      .optional()
      .describe('Folder or file to search, relative to the project or absolute. Default: all roots.'),
    glob: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe(
        'Only files that match, such as *.ts or src/**/*.py; !*.md leaves out. Relative to directory.',
      ),
    context: z.number().int().min(0).max(20).default(2).describe('Lines shown before and after each hit.'),
    limit: z.number().int().min(1).max(200).default(20).describe('Hits given at most.'),
    offset: z.number().int().min(0).max(100_000).default(0).describe('Hits to skip, for the next page.'),
  }),
  output: z.object({
    hits: z.array(
      z.object({
        file: z.string(),
        line: z.number().int().optional(),
        text: z.string(),
        context: z.object({ before: z.array(z.string()), after: z.array(z.string()) }),
        symbol: z
          .object({ name: z.string(), kind: z.enum(SYMBOL_KINDS), parent: z.string().nullable() })
          .optional(),
      }),
    ),
    total: z.number().int(),
    totalIsLowerBound: z.boolean().optional(),
    notes: z.array(z.string()).optional(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call({ query, mode, directory, ...page }, context: CallContext<CodeState>) {
    const targets = await targetsOf(directory, await context.roots());
    if (mode === 'symbol') return findSymbols({ query, targets, ...page }, context);
    if (mode === 'path') return findPaths({ query, targets, ...page }, context);
    return findLines({ pattern: query, syntax: mode, targets, ...page }, context);
  },
});
