import type { RunContext } from '@nexus/plugin-sdk';
import type { Objection } from '../ballots/ballot.ts';
import type { ObjectionAnswers } from '../ballots/objecting.ts';
import type { VoterName } from '../voters/voters.ts';
import type { Answered, Raised } from './objections.ts';

/** Who has answered once and may be asked again. */
export interface Seated<Cast> {
  readonly voter: VoterName;
  readonly first: Cast;
  /** @returns undefined where it can't be had this time */
  readonly again: (objections: readonly Objection[]) => Promise<Cast | undefined>;
}

export interface Round<Cast> {
  /** As many as seats, in their order. */
  readonly casts: readonly Cast[];
  readonly answers: readonly Answered[];
}

/**
 * Puts objections once to everybody but who raised them, and has them answer anew; nobody is told who objects or how
 * anybody voted. Who raised the only one, or can't be had this time, keeps the first answer.
 */
export async function secondRound<Cast extends { readonly answers: ObjectionAnswers }>(
  run: RunContext,
  seats: readonly Seated<Cast>[],
  open: readonly Raised[],
): Promise<Round<Cast>> {
  if (open.length === 0) return { casts: seats.map(({ first }) => first), answers: [] };
  const rounds = await run.parallel(
    seats.map(({ voter, first, again }) => async () => {
      const objections = open.filter(({ by }) => by !== voter);
      const second = objections.length === 0 ? undefined : await again(objections);
      const answers = (second?.answers ?? []).flatMap((answer, at): Answered[] => {
        const by = objections[at]?.by;
        return by === undefined ? [] : [{ ...answer, by, voter }];
      });
      return { cast: second ?? first, answers };
    }),
  );
  return {
    casts: rounds.map(({ cast }) => cast),
    answers: rounds.flatMap(({ answers }) => answers),
  };
}
