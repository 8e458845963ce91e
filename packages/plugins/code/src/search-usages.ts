import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { usagesText } from './answers/usages-text.ts';
import { FileSymbol } from './file-symbol.ts';
import { scopeOf } from './roots/scope.ts';
import { targetsOf } from './roots/targets.ts';
import { findUsages } from './search/find-usages.ts';
import { whyNothing } from './search/why-nothing.ts';
import type { CodeState } from './state.ts';
import { USED_AS } from './syntax/used-as.ts';
import { Unread } from './unread.ts';

export const searchUsages = defineTool({
  name: 'search_usages',
  title: 'Search usages',
  description: `Find where a function, type or variable is defined and where code refers to it, before changing it. Each place says what the name is there: import, re-export, call, type or use, then mentions in comments, strings and text without a grammar. Goes by name, not by type.`,
  input: z.object({
    symbol: z
      .string()
      .min(1)
      .max(200)
      .regex(/^[^\s.:#/()]+$/, 'must be a bare name, without its class, module or parentheses')
      .describe('The bare name, case-sensitive.')
      .meta({ examples: ['createServer'] }),
    directory: z.string().max(4_096).optional().describe('Folder or file to search; default all roots.'),
    limit: z.number().int().min(1).max(500).default(50).describe('Most places given.'),
    offset: z.number().int().min(0).max(100_000).default(0).describe('Places to skip.'),
  }),
  aliases: { name: 'symbol', query: 'symbol', path: 'directory', folder: 'directory' },
  output: z.object({
    definition: FileSymbol.nullable(),
    otherDefinitions: z.array(z.string()),
    references: z.array(
      z.object({
        file: z.string(),
        line: z.number(),
        column: z.number(),
        text: z.string(),
        as: z.enum(USED_AS),
        within: z.string().nullable(),
      }),
    ),
    total: z.number().describe('References in code.'),
    mentions: z.number().describe('Places beside them.'),
    nextOffset: z.number().optional(),
    unread: Unread.optional(),
    notes: z.array(z.string()).optional(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  text: usagesText,
  async call({ symbol, directory, ...page }, context: CallContext<CodeState>) {
    const targets = await targetsOf(directory, await scopeOf(context));
    const found = await findUsages({ symbol, targets, ...page }, context);
    if (found.total + found.mentions > 0 || found.definition !== null || found.unread) return found;
    const notes = await whyNothing({ pattern: symbol, isWord: true, directory, targets }, context);
    return notes.length === 0 ? found : { ...found, notes: [...(found.notes ?? []), ...notes] };
  },
});
