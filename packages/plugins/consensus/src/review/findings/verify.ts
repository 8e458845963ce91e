import type { ModelUsage, RunContext } from '@nexus/plugin-sdk';
import type { ConsensusState } from '../../state.ts';
import type { DiffFile } from '../diff/parse-diff.ts';
import { type Fact, lookUp } from '../facts/look-up.ts';
import type { CheckResult } from '../facts/run-check.ts';
import type { VerifiedFinding } from '../review.ts';
import { filterFinding } from './filter.ts';
import { type Dropped, type Finding, severities } from './finding.ts';
import { unite } from './unite.ts';

/** The gravest are checked; reviewers that find more have lost their way. */
const MAX_CHECKED = 100;
/** Of those that are compared with each other; several reviewers may have found each. */
const MAX_COMPARED = 400;
const CONCURRENCY = 8;

export interface Ground {
  readonly files: readonly DiffFile[];
  readonly inProject: readonly string[];
  readonly checks: readonly CheckResult[];
  readonly models: readonly string[];
}

export interface Verified {
  readonly findings: VerifiedFinding[];
  readonly dropped: Dropped[];
  readonly usage: ModelUsage[];
}

/** Unites findings, holds each against facts, then against a reader who sees it and the code only. */
export async function verify(
  run: RunContext<ConsensusState>,
  findings: readonly Finding[],
  ground: Ground,
): Promise<Verified> {
  const all = gravestFirst(findings);
  const gravest = gravestFirst(unite(all.slice(0, MAX_COMPARED)));
  const outcomes = await run.parallel(
    gravest
      .slice(0, MAX_CHECKED)
      .map((finding, index) => () => verifyOne(run, finding, { ...ground, at: index + 1 })),
    { concurrency: CONCURRENCY },
  );
  const left = [...gravest.slice(MAX_CHECKED), ...all.slice(MAX_COMPARED)].map((finding) =>
    drop(finding, `not checked: only the gravest ${MAX_CHECKED} are`),
  );
  return {
    findings: outcomes.flatMap(({ finding }) => finding ?? []),
    dropped: [...outcomes.flatMap(({ dropped }) => dropped ?? []), ...left],
    usage: outcomes.flatMap(({ usage }) => usage ?? []),
  };
}

function gravestFirst(findings: readonly Finding[]): Finding[] {
  return [...findings].sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
}

interface Outcome {
  readonly finding?: VerifiedFinding;
  readonly dropped?: Dropped;
  readonly usage?: ModelUsage | undefined;
}

async function verifyOne(
  run: RunContext<ConsensusState>,
  finding: Finding,
  { files, inProject, checks, models, at }: Ground & { readonly at: number },
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
  const file = files.find(({ path }) => path === finding.file);
  if (!file) return { dropped: drop(finding, 'the diff has no such file') };
  const { verdict, reasoning, model, usage } = await filterFinding(run, finding, {
    name: `filter ${at}`,
    file,
    models,
    timeoutMs: run.state.options.ballotTimeoutMs,
  });
  if (verdict === 'not_real') return { dropped: drop(finding, `checked apart: ${reasoning}`), usage };
  if (verdict === 'cannot_tell') {
    return { dropped: drop(finding, `the code shown does not tell: ${reasoning}`), usage };
  }
  const said =
    verdict === 'real'
      ? `Checked apart by ${model}: ${reasoning}`
      : `It could not be checked apart: ${reasoning}`;
  const evidence = [stands, fact.evidence, said].filter(Boolean).join(' ');
  return { finding: { ...finding, verified: verdict === 'real', evidence }, usage };
}

function drop({ file, line, claim }: Finding, reason: string): Dropped {
  return { file, line, claim, reason };
}
