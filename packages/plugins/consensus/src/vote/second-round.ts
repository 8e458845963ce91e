import type { RunContext } from '@nexus/plugin-sdk';
import { askVoter, type VoterInput } from '../ballots/ask-voter.ts';
import type { Ballot } from '../ballots/ballot.ts';
import type { Answered, Raised } from './objections.ts';

export interface Round {
  readonly ballots: readonly Ballot[];
  readonly answers: readonly Answered[];
}

/**
 * Puts objections once to everybody but who raised them, and has them vote again; nobody is told who objects or how
 * anybody voted. Who raised the only one, or can't be had this time, keeps the first ballot.
 */
export async function secondRound(
  run: RunContext,
  asked: readonly (VoterInput & { readonly first: Ballot })[],
  open: readonly Raised[],
): Promise<Round> {
  if (open.length === 0) return { ballots: asked.map(({ first }) => first), answers: [] };
  const rounds = await run.parallel(
    asked.map(({ first, ...input }) => async (): Promise<Round> => {
      const objections = open.filter(({ by }) => by !== input.voter);
      if (objections.length === 0) return { ballots: [first], answers: [] };
      const { ballot, answers } = await askVoter(run, { ...input, objections });
      return {
        ballots: [ballot.choice === 'error' ? first : ballot],
        answers: answers.flatMap((answer, at) => {
          const by = objections[at]?.by;
          return by === undefined ? [] : [{ ...answer, by, voter: input.voter }];
        }),
      };
    }),
  );
  return {
    ballots: rounds.flatMap(({ ballots }) => ballots),
    answers: rounds.flatMap(({ answers }) => answers),
  };
}
