import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { FileSymbol } from './file-symbol.ts';
import { scopeOf } from './roots/scope.ts';
import { targetsOf } from './roots/targets.ts';
import { findUsages, MAX_FILES } from './search/find-usages.ts';
import type { CodeState } from './state.ts';
import { Unread } from './unread.ts';

export const searchUsages = defineTool({
  name: 'search_usages',
  title: 'Search usages',
  description: `Find where a function, type or variable is defined and where code refers to it, before changing it. Goes by identifiers of that name, not by type: other things of the name are included. Comments, strings and files without a grammar (see extract_symbols) only count as mentions. Parses at most ${MAX_FILES} files.`,
  input: z.object({
    symbol: z
      .string()
      .min(1)
      .max(200)
      .regex(/^[^\s.:#/()]+$/, 'must be a bare name, without its class, module or parentheses')
      .describe('The bare name, case-sensitive.')
      .meta({ examples: ['createServer'] }),
    directory: z.string().max(4_096).optional().describe('Folder or file to search; default all roots.'),
    limit: z.number().int().min(1).max(500).default(50).describe('Most references given.'),
  }),
  output: z.object({
    definition: FileSymbol.nullable(),
    otherDefinitions: z.array(z.string()),
    references: z.array(
      z.object({
        file: z.string(),
        line: z.number(),
        column: z.number(),
        text: z.string(),
        within: z.string().nullable(),
      }),
    ),
    total: z.number(),
    mentions: z.number(),
    unread: Unread.optional(),
    notes: z.array(z.string()).optional(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call({ symbol, directory, limit }, context: CallContext<CodeState>) {
    const targets = await targetsOf(directory, await scopeOf(context));
    return findUsages({ symbol, targets, limit }, context);
  },
});
