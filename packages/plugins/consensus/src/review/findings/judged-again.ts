import type { RunContext } from '@nexus/plugin-sdk';
import type { ConsensusOptions } from '../../options.ts';
import type { ProvenFinding } from '../review.ts';
import type { Dropped, Finding } from './finding.ts';
import { lookAt } from './look-at.ts';
import { drop } from './verify.ts';

export type Context = RunContext<{ readonly options: ConsensusOptions }>;

/** What whoever judges a finding has. */
export interface Judging {
  codeAround(places: readonly Finding[]): Promise<readonly (string | undefined)[]>;
  readonly inProject: readonly string[];
  readonly models: readonly string[];
}

/**
 * A finding by a fresh judge, who sees what its own proof says against it: verified is what is called real all the
 * same, with a word on why that does not hold.
 */
export async function judgedAgain(
  finding: ProvenFinding,
  run: Context,
  {
    codeAround,
    inProject,
    models,
    at,
    against,
    missing,
  }: Judging & {
    readonly at: number;
    readonly against: string;
    readonly missing: readonly string[];
  },
): Promise<ProvenFinding | Dropped> {
  const [code = ''] = await codeAround([finding]);
  const {
    verdict,
    reasoning,
    answersAgainst = '',
  } = await lookAt(run, finding, {
    ...{ code, models, missing, against },
    name: `${at} by its proof`,
    isInProject: inProject.includes(finding.file),
  });
  if (verdict === 'not_real') return drop(finding, `its own proof speaks against it: ${reasoning}`);
  const answer = answersAgainst.trim();
  const evidence = `${finding.evidence} Its own proof speaks against it, and it was judged anew: ${reasoning}`;
  if (verdict === 'real' && answer !== '') return { ...finding, evidence: `${evidence} ${answer}` };
  return {
    ...finding,
    ...{ verified: false, basis: 'believed' },
    evidence: `${evidence} What speaks against it was not answered, so it is not verified.`,
  };
}
