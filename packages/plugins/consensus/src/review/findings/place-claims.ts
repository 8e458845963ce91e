import { reviewedFiles } from '../diff/open-diff.ts';
import { anchor } from './anchor.ts';
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
}: {
  readonly diff: string;
  readonly claimed: readonly Claimed[];
}): Placed[] {
  const files = reviewedFiles(diff);
  return claimed.map(({ claims, by }) => {
    const found: Finding[] = [];
    const dropped: Dropped[] = [];
    for (const claim of claims) {
      const place = anchor(claim, files);
      if (typeof place !== 'string') found.push({ ...claim, ...place, foundBy: [by] });
      else dropped.push({ file: claim.file, line: claim.line, claim: claim.claim, reason: place });
    }
    return { found, dropped };
  });
}
