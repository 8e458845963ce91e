import { reviewedFiles } from '../diff/open-diff.ts';
import { anchor, anchorNearly } from './anchor.ts';
import type { Claim, Dropped, Finding } from './finding.ts';

/** What one reviewer said of one piece. */
export interface Claimed {
  readonly claims: readonly Claim[];
  readonly by: Finding['foundBy'][number];
}

/** Claims that have their place in the diff, and those that have none. */
export interface Placed {
  readonly found: readonly Finding[];
  readonly dropped: readonly Dropped[];
}

/** Holds what reviewers said against the diff, each by itself. */
export function placeClaims({
  diff,
  claimed,
  takesSlips,
}: {
  readonly diff: string;
  readonly claimed: readonly Claimed[];
  /** Whether a quote that stands nowhere is taken for the line that its claim names, where that is nearly the same. */
  readonly takesSlips: boolean;
}): Placed[] {
  const files = reviewedFiles(diff);
  return claimed.map(({ claims, by }) => {
    const found: Finding[] = [];
    const dropped: Dropped[] = [];
    for (const claim of claims) {
      const stands = anchor(claim, files);
      const slip = takesSlips && typeof stands === 'string' ? anchorNearly(claim, files) : undefined;
      const place = slip ?? stands;
      if (typeof place !== 'string') found.push({ ...claim, ...place, foundBy: [by] });
      else dropped.push({ file: claim.file, line: claim.line, claim: claim.claim, reason: place });
    }
    return { found, dropped };
  });
}
