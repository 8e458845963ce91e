import type { Basis, ProveOutput } from '@nexus/plugin-sdk';
import { counted } from '@nexus/primitives';
import { checkWords, isRedByChange } from './facts/check-change.ts';
import type { CheckResult } from './facts/run-check.ts';
import type { Dropped, Finding } from './findings/finding.ts';

export interface ReviewInput {
  readonly title: string;
  readonly description: string;
  /** Absent where it is to be fetched. */
  readonly diff?: string;
  readonly pullRequest?: { readonly repo: string; readonly number: number };
  readonly postComments: boolean;
}

export interface VerifiedFinding extends Finding {
  /** False only where the last check could not be had. */
  readonly verified: boolean;
  /** What it was held against. */
  readonly evidence: string;
}

/** A finding, and what stands behind it. */
export interface ProvenFinding extends VerifiedFinding {
  /** Absent of a review of the first version. */
  readonly basis?: Basis;
  /** What a test that was run shows of it, as a patch of that test. */
  readonly proof?: Pick<ProveOutput, 'verdict' | 'why'> & { readonly test: string };
}

export interface ReviewOutput {
  readonly decision: 'approve' | 'request_changes' | 'comment';
  readonly why: string;
  readonly summary: string;
  readonly findings: readonly ProvenFinding[];
  readonly dropped: readonly Dropped[];
  readonly files: readonly { readonly file: string; readonly level: string; readonly why: string }[];
  readonly skipped: readonly { readonly file: string; readonly reason: string }[];
  /** What a reviewer could not read, since its model failed. */
  readonly unreviewed: readonly {
    readonly files: readonly string[];
    readonly reviewer: string;
    readonly reason: string;
  }[];
  readonly checks: readonly CheckResult[];
  readonly reviewers: readonly { readonly reviewer: string; readonly model: string }[];
  readonly posted?: { readonly count: number; readonly url?: string };
}

type Outcome = Pick<ReviewOutput, 'findings' | 'dropped' | 'checks' | 'unreviewed' | 'files' | 'reviewers'>;

/**
 * Follows from what was verified, and from nothing else. A review that could check nothing approves nothing.
 * @param untold of the claims that were dropped, those of which nobody could tell
 */
export function decide(outcome: Outcome, untold = 0): Pick<ReviewOutput, 'decision' | 'why'> {
  const { findings, dropped, checks, unreviewed, files, reviewers } = outcome;
  const verified = findings.filter((each) => each.verified);
  const grave = verified.filter(({ severity }) => severity === 'critical' || severity === 'high');
  const broken = checks.filter(isRedByChange);
  if (grave.length > 0 || broken.length > 0) {
    const reasons = [
      ...broken.map(checkWords),
      ...(grave.length > 0 ? [`${counted(grave.length, 'grave finding')} verified`] : []),
    ];
    return { decision: 'request_changes', why: `${reasons.join('; ')}.` };
  }
  if (verified.length > 0) {
    return {
      decision: 'comment',
      why: `${counted(verified.length, 'finding')} verified, none of them grave.`,
    };
  }
  if (unreviewed.length > 0) {
    return { decision: 'comment', why: 'Nothing was found, but a part could not be reviewed.' };
  }
  if (files.length === 0 || reviewers.length === 0) {
    return { decision: 'comment', why: 'Nothing of the change was reviewed, so nothing is said of it.' };
  }
  const unchecked = findings.length + untold;
  if (unchecked > 0 && unchecked === findings.length + dropped.length) {
    return { decision: 'comment', why: `None of ${counted(unchecked, 'claim')} could be verified.` };
  }
  const open = checks.filter(({ status, without }) => without !== undefined && status !== 'passed');
  if (open.length > 0) {
    const why = `No finding was verified, and running shows nothing of it: ${open.map(checkWords).join('; ')}.`;
    return { decision: 'comment', why };
  }
  return { decision: 'approve', why: 'No finding was verified.' };
}
