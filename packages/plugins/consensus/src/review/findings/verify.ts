import { lookUpNames, type RunContext } from '@nexus/plugin-sdk';
import type { ConsensusOptions } from '../../options.ts';
import { type Fact, lookUp } from '../facts/look-up.ts';
import type { CheckResult } from '../facts/run-check.ts';
import type { VerifiedFinding } from '../review.ts';
import { type Dropped, type Finding, severities } from './finding.ts';
import { lookAt } from './look-at.ts';
import { unite } from './unite.ts';

/** The gravest are checked; reviewers that find more have lost their way. */
const MAX_CHECKED = 100;
/** Of those that are compared with each other; several reviewers may have found each. */
const MAX_COMPARED = 400;
const CONCURRENCY = 8;

export interface Ground {
  codeAround(places: readonly Finding[]): Promise<readonly (string | undefined)[]>;
  readonly inProject: readonly string[];
  readonly checks: readonly CheckResult[];
  readonly models: readonly string[];
  /** Whether what a claim names is looked up: only where the project holds the whole change. */
  readonly areNamesLookedUp: boolean;
}

export interface Verified {
  readonly findings: VerifiedFinding[];
  readonly dropped: Dropped[];
  /** How many were dropped since nobody could tell. */
  readonly untold: number;
}

/** Unites findings, holds each against facts, then against a reader who sees it and the code only. */
export async function verify(
  run: RunContext<{ readonly options: ConsensusOptions }>,
  findings: readonly Finding[],
  ground: Ground,
): Promise<Verified> {
  const all = gravestFirst(findings);
  const gravest = gravestFirst(unite(all.slice(0, MAX_COMPARED)));
  const checked = gravest.slice(0, MAX_CHECKED);
  const codes = await ground.codeAround(checked);
  const outcomes = await run.parallel(
    checked.map(
      (finding, index) => () => verifyOne(run, finding, { ...ground, code: codes[index], at: index + 1 }),
    ),
    { concurrency: CONCURRENCY },
  );
  const left = [...gravest.slice(MAX_CHECKED), ...all.slice(MAX_COMPARED)].map((finding) =>
    drop(finding, `not checked: only the gravest ${MAX_CHECKED} are`),
  );
  return {
    findings: outcomes.flatMap(({ finding }) => finding ?? []),
    dropped: [...outcomes.flatMap(({ dropped }) => dropped ?? []), ...left],
    untold: outcomes.filter(({ isUntold }) => isUntold).length + left.length,
  };
}

function gravestFirst(findings: readonly Finding[]): Finding[] {
  return [...findings].sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
}

interface Outcome {
  readonly finding?: VerifiedFinding;
  readonly dropped?: Dropped;
  readonly isUntold?: true;
}

async function verifyOne(
  run: RunContext<{ readonly options: ConsensusOptions }>,
  finding: Finding,
  {
    inProject,
    checks,
    models,
    areNamesLookedUp,
    code,
    at,
  }: Ground & { readonly code: string | undefined; readonly at: number },
): Promise<Outcome> {
  const fact: Fact =
    finding.kind === 'defect'
      ? { status: 'open', evidence: '' }
      : await run.step(
          `fact ${at}`,
          ({ tools }) => lookUp(finding, { tools, checks, isInProject: inProject.includes(finding.file) }),
          { title: `looks up a fact of ${finding.file}` },
        );
  const stands = `The quote stands in ${finding.file}, line ${finding.line}${finding.isMoved ? ' (elsewhere than was said)' : ''}.`;
  if (fact.status === 'refuted') return { dropped: drop(finding, fact.evidence) };
  if (fact.status === 'confirmed') {
    return { finding: { ...finding, verified: true, evidence: `${stands} ${fact.evidence}` } };
  }
  if (code === undefined) return { dropped: drop(finding, 'the diff has no such file') };
  const missing =
    areNamesLookedUp && finding.kind === 'defect'
      ? (await lookUpNames(run, `claim ${at}`, finding.claim)).missing
      : [];
  const { verdict, reasoning, model, looks } = await lookAt(run, finding, {
    code,
    models,
    name: String(at),
    missing,
    isInProject: inProject.includes(finding.file),
  });
  if (verdict === 'not_real') return { dropped: drop(finding, `checked apart: ${reasoning}`) };
  if (verdict === 'cannot_tell') {
    const seen =
      looks === 2
        ? 'neither the code shown nor a look into the project tells'
        : 'the code shown does not tell, and the project does not hold the change';
    return { dropped: drop(finding, `${seen}: ${reasoning}`), isUntold: true };
  }
  const said =
    verdict === 'real'
      ? `Checked apart by ${model}: ${reasoning}`
      : `It could not be checked apart: ${reasoning}`;
  // Whoever says so of what is not there has not seen it.
  const gone = missing.length === 0 ? '' : `It names what is not there: ${missing.join(', ')}.`;
  const evidence = [stands, fact.evidence, said, gone].filter(Boolean).join(' ');
  return { finding: { ...finding, verified: verdict === 'real' && missing.length === 0, evidence } };
}

export function drop({ file, line, claim }: Finding, reason: string): Dropped {
  return { file, line, claim, reason };
}
