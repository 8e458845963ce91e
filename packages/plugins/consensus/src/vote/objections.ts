import {
  type FileLines,
  hasSeen,
  lookUpNames,
  type NamesLookedUp,
  type RunContext,
  type VoteObjection,
} from '@nexus/plugin-sdk';
import { findWords, quotedPlaces, saysWords, type Window } from '@nexus/plugin-sdk/evidence';
import type { Cast } from '../ballots/ask-voter.ts';
import type { VoterName } from '../voters/voters.ts';

/** An objection as it was raised, looked up. */
export interface Raised {
  readonly by: VoterName;
  readonly claim: string;
  readonly evidence: string;
  readonly isEvidenced: boolean;
  readonly windows?: readonly Window[];
}

/** What voters judge by. */
interface Given {
  /** As the caller gave it. */
  readonly ground: string | undefined;
  /** Lines of the project that all of them are shown. */
  readonly lines?: readonly FileLines[] | undefined;
}

/**
 * The objections of ballots, each with its evidence held against the project and against what the voters were given:
 * a place that is there, with words that stand there or, where it quotes none, that its voter was shown or opened; or
 * lines of what was given, such as what a command printed. The proposal is no evidence of itself.
 */
export async function raisedIn(
  run: RunContext,
  casts: readonly Pick<Cast, 'ballot' | 'seen'>[],
  { ground, lines = [] }: Given,
): Promise<readonly Raised[]> {
  const raised: Raised[] = [];
  for (const { ballot, seen = [] } of casts) {
    const { voter, objection } = ballot;
    if (!objection) continue;
    const { claim, evidence } = objection;
    const named = await lookUpNames(run, `evidence ${voter}`, evidence);
    const isEvidenced = isPlace(evidence, named, [...lines, ...seen]) || isQuoted(ground, evidence);
    const windows = (named.windows ?? []).filter((window) => !hasSeen(lines, window));
    raised.push({ by: voter, claim, evidence: named.marked, isEvidenced, windows });
  }
  return raised;
}

function isPlace(evidence: string, named: NamesLookedUp, seen: readonly FileLines[]): boolean {
  const { places, missing } = named;
  if (places.length === 0 || missing.length > 0) return false;
  if (quotedPlaces(evidence, named).length > 0) return true;
  return !saysWords(evidence) && places.some((place) => hasSeen(seen, place));
}

function isQuoted(given: string | undefined, evidence: string): boolean {
  if (given === undefined) return false;
  const lines = evidence.split('\n').map((line) => line.trim().replace(/^(?:[>$*-] |\d{1,3}[.)] ){1,2}/, ''));
  return lines.some((line) => findWords(given, line, 1) !== undefined);
}

/** What one voter said of another's objection. */
export interface Answered {
  readonly voter: VoterName;
  readonly by: VoterName;
  readonly holds: boolean;
  readonly because: string;
}

/**
 * What became of each objection: those with evidence by what the others answered, of which more than half must hold
 * it for it to be upheld.
 * @param open those that were put to the others
 */
export function outcomesOf(
  raised: readonly Raised[],
  open: readonly Raised[],
  answered: readonly Answered[],
): readonly VoteObjection[] {
  return raised.map((objection) => {
    const { by, claim, evidence, isEvidenced } = objection;
    const answers = answered
      .filter((answer) => answer.by === by)
      .map(({ voter, holds, because }) => ({ voter, holds, because }));
    const asked = open.includes(objection) ? outcomeOf(answers) : 'heeded';
    return { by, claim, evidence, outcome: isEvidenced ? asked : 'no_evidence', answers };
  });
}

function outcomeOf(answers: VoteObjection['answers']): VoteObjection['outcome'] {
  if (answers.length === 0) return 'unanswered';
  const holding = answers.filter(({ holds }) => holds).length;
  return holding * 2 > answers.length ? 'upheld' : 'answered';
}
