import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { targetsOf } from './roots/targets.ts';
import { findUsages, MAX_FILES } from './search/find-usages.ts';
import type { CodeState } from './state.ts';
import { SYMBOL_KINDS } from './syntax/symbol.ts';

const Definition = z.object({
  file: z.string(),
  name: z.string(),
  kind: z.enum(SYMBOL_KINDS),
  signature: z.string(),
  line: z.number().int(),
  endLine: z.number().int(),
  parent: z.string().nullable(),
});

export const searchUsages = defineTool({
  name: 'search_usages',
  title: 'Search usages',
  description: `Find where a function, type or variable is defined and where the code refers to it, before changing or removing it. Files that hold the name are parsed: only identifiers count, so comments and strings are left out and counted as mentions. Goes by name alone, not by type: equal names of other things are among the references, and a file without a grammar (see extract_symbols) has only mentions. Gives the definition, any others of that name, references with the function they are in, and totals; parses at most ${MAX_FILES} files.`,
  input: z.object({
    symbol: z
      .string()
      .min(1)
      .max(200)
      .regex(/^[^\s.:#/()]+$/, 'must be a bare name, without its class, module or parentheses')
      .describe('The bare name, case-sensitive, such as createServer.')
      .meta({ examples: ['createServer'] }),
    directory: z
      .string()
      .min(1)
      .max(4_096)
      .optional()
      .describe('Folder or file to search, relative to the project or absolute. Default: all roots.'),
    limit: z.number().int().min(1).max(500).default(50).describe('References given at most.'),
  }),
  output: z.object({
    definition: Definition.nullable(),
    otherDefinitions: z.array(Definition),
    totalDefinitions: z.number().int(),
    references: z.array(
      z.object({
        file: z.string(),
        line: z.number().int(),
        column: z.number().int(),
        text: z.string(),
        within: z.string().nullable(),
      }),
    ),
    total: z.number().int(),
    mentions: z.number().int(),
    totalIsLowerBound: z.boolean().optional(),
    notes: z.array(z.string()).optional(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call({ symbol, directory, limit }, context: CallContext<CodeState>) {
    const targets = await targetsOf(directory, await context.roots());
    return findUsages({ symbol, targets, limit }, context);
  },
});
