import { lookUpNames, type RunContext } from '@nexus/plugin-sdk';
import { namesAnother } from '@nexus/plugin-sdk/evidence';
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
 * same, where another place that the judge saw shows why that does not hold.
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
    seen,
  } = await lookAt(run, finding, {
    ...{ code, models, missing, against },
    name: `${at} by its proof`,
    isInProject: inProject.includes(finding.file),
  });
  if (verdict === 'not_real') return drop(finding, `its own proof speaks against it: ${reasoning}`);
  const evidence = `${finding.evidence} Its own proof speaks against it, and it was judged anew: ${reasoning}`;
  const { places } = await lookUpNames(run, `answer ${at}`, answersAgainst);
  const own = { file: finding.file, from: finding.line, to: finding.endLine };
  const isAnswered = namesAnother(places, { seen, than: [own] });
  if (verdict === 'real' && isAnswered)
    return { ...finding, evidence: `${evidence} ${answersAgainst.trim()}` };
  return {
    ...finding,
    ...{ verified: false, basis: 'believed' },
    evidence: `${evidence} What speaks against it was not answered by another place, so it is not verified.`,
  };
}
