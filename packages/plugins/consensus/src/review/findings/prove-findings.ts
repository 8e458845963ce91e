import {
  type Basis,
  basisOf,
  lookUpNames,
  type ProveOutput,
  prove,
  type RunContext,
} from '@nexus/plugin-sdk';
import { isRedByChange } from '../facts/check-change.ts';
import type { CheckResult } from '../facts/run-check.ts';
import type { ProvenFinding, VerifiedFinding } from '../review.ts';
import type { Dropped } from './finding.ts';
import { type Context, type Judging, judgedAgain } from './judged-again.ts';

/** As many as anybody waits for; the gravest come first. */
const MAX_PROVED = 3;

export interface Proven {
  readonly findings: ProvenFinding[];
  /** Those that did not hold against what their proof says. */
  readonly dropped: readonly Dropped[];
}

interface Ground extends Judging {
  readonly diff: string;
  readonly checks: readonly CheckResult[];
  /** Whether the project holds the whole change: only then is anything of it looked up or run. */
  readonly isWhole: boolean;
}

/**
 * Says of each finding what stands behind it. Where the project holds the change, what a claim names is looked up, and
 * the gravest verified ones have a test written and run that fails because of them; one after the other. One against
 * which its proof speaks is judged anew with that. What ran comes first, then what was read.
 */
export async function proveFindings(
  findings: readonly VerifiedFinding[],
  run: Context,
  { diff, checks, isWhole, ...judging }: Ground,
): Promise<Proven> {
  const failed = new Set(checks.filter(isRedByChange).map(({ name }) => name));
  const proven: ProvenFinding[] = [];
  const dropped: Dropped[] = [];
  let left = isWhole && findings.some(isWorthIt) && (await isShown(run)) ? MAX_PROVED : 0;
  for (const [index, finding] of findings.entries()) {
    const at = index + 1;
    const read = { ...finding, basis: basisOfKind(finding, failed) };
    const named =
      isWhole && finding.kind === 'defect' ? await lookUpNames(run, `names ${at}`, finding.claim) : undefined;
    const lookedUp = named && {
      claim: named.marked,
      ...(named.missing.length > 0 && { basis: basisOf(named) }),
    };
    if (left === 0 || !isWorthIt(finding)) {
      proven.push({ ...read, ...lookedUp });
      continue;
    }
    left -= 1;
    const proof = await proofOf(finding, run, { diff, at });
    const { against, ...shown } = proof;
    const told: ProvenFinding = {
      ...{ ...read, ...lookedUp },
      ...(proof.verdict === 'shown' && { basis: 'ran' }),
      proof: shown,
    };
    if (against === undefined) proven.push(told);
    else {
      const missing = named?.missing ?? [];
      const again = await judgedAgain(told, run, { ...judging, at, against, missing });
      if ('reason' in again) dropped.push(again);
      else proven.push(again);
    }
    // What is missing for one is missing for all.
    if (proof.verdict === 'not_run') left = 0;
  }
  return { findings: proven.sort((a, b) => rankOf(a) - rankOf(b)), dropped };
}

/** Those of one rank stay as they were, the gravest first. */
function rankOf({ basis = 'believed' }: ProvenFinding): number {
  return ['ran', 'read', 'believed'].indexOf(basis);
}

function isWorthIt({ verified, kind, severity }: VerifiedFinding): boolean {
  return verified && kind === 'defect' && (severity === 'critical' || severity === 'high');
}

function isShown(run: RunContext): Promise<boolean> {
  return run.step('who shows findings', () => run.host.runs.knows(prove), {
    title: 'looks who shows findings by running',
  });
}

function basisOfKind({ kind, subject = '', verified }: VerifiedFinding, failed: ReadonlySet<string>): Basis {
  if (kind === 'fails_check' && failed.has(subject)) return 'ran';
  return verified ? 'read' : 'believed';
}

async function proofOf(
  { file, line, claim, quote }: VerifiedFinding,
  run: RunContext,
  { diff, at }: { readonly diff: string; readonly at: number },
): Promise<NonNullable<ProvenFinding['proof']> & Pick<ProveOutput, 'against'>> {
  const input = {
    kind: 'fails' as const,
    claim: `${file}:${line}: ${claim}`,
    context: { 'the lines that it is about': quote },
    change: diff,
  };
  const proved: ProveOutput = await run.child(`proof ${at}`, prove, input, {
    title: 'shows a finding by running',
  });
  const { verdict, why, diff: test, against } = proved;
  return { verdict, why, test, ...(against !== undefined && { against }) };
}
