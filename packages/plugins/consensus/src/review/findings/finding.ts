import { z } from 'zod';
import type { ReviewerName } from '../reviewers.ts';

export const severities = ['critical', 'high', 'medium', 'low'] as const;

/** What a claim rests on: a judgement, or a fact that code can look up. */
export const findingKinds = ['defect', 'does_not_parse', 'missing_symbol', 'fails_check'] as const;

/** What a reviewer answers. */
export const Claims = z.object({
  findings: z
    .array(
      z.object({
        file: z.string().min(1).max(1_000).describe('Its path, as shown.'),
        line: z.int().min(1).describe('The number shown before the line.'),
        quote: z
          .string()
          .min(1)
          .max(1_000)
          .describe('The faulty line, or lines, copied exactly from the diff, without number and mark.'),
        severity: z.enum(severities),
        kind: z
          .enum(findingKinds)
          .describe(
            'defect, unless the claim is just that the file does not parse, that a name is defined nowhere, or that one of the named checks fails.',
          ),
        subject: z
          .string()
          .max(200)
          .optional()
          .describe('Of missing_symbol, the bare name; of fails_check, the check.'),
        claim: z
          .string()
          .min(1)
          .max(1_000)
          .describe('What is wrong and what it leads to, in one to three sentences.'),
      }),
    )
    .max(30)
    .describe('Empty where nothing is wrong, which is the usual case.'),
});

export type Claim = z.output<typeof Claims>['findings'][number];

/** A place in a file of the diff, both ends included. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly endLine: number;
  /** `old`: lines that were taken away, by their old numbers. */
  readonly side: 'new' | 'old';
  /** Whether the quote stood elsewhere than was said. */
  readonly isMoved: boolean;
}

/** A claim whose file, line and quote are in the diff. */
export interface Finding extends Omit<Claim, 'file' | 'line'>, Place {
  readonly foundBy: readonly { readonly reviewer: ReviewerName; readonly model: string }[];
}

/** A claim that did not hold, and why. */
export interface Dropped {
  readonly file: string;
  readonly line: number;
  readonly claim: string;
  readonly reason: string;
}
