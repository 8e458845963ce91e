import { z } from 'zod';

/** The `code` section of the config. */
export const CodeOptions = z.object({
  maxFileBytes: z
    .number()
    .int()
    .min(1_024)
    .max(64 * 1_024 * 1_024)
    .default(1_024 * 1_024)
    .describe('Files larger than this are neither searched nor parsed.'),
  exclude: z
    .array(z.string().min(1).max(200))
    .max(100)
    .default(['.git', '.hg', '.svn', '.jj'])
    .describe('Globs that are never searched, in .gitignore syntax, besides what .gitignore excludes.'),
  maxIndexedFiles: z
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(50_000)
    .describe(
      'A root with more source files than this is indexed for symbols only in part, and answers say so.',
    ),
  watch: z
    .boolean()
    .default(true)
    .describe(
      'Learn of changes by the kernel’s file events, on Linux. False looks at each file at each search of symbols, and goes through folders again to say what a search of text did not see: for network file systems, which raise no events.',
    ),
  ripgrepPath: z
    .string()
    .min(1)
    .max(4_096)
    .optional()
    .describe('The rg program to use in place of the one that comes with Nexus.'),
});

export type CodeOptions = z.output<typeof CodeOptions>;
