import type { Window } from '@nexus/plugin-sdk/evidence';
import type { VoterName } from '../voters/voters.ts';

/**
 * What a ballot says: a side of approve or reject, the number of an option, neither, that the matter is none of its
 * view's, or that it could not be had.
 */
export type Choice = 'approve' | 'reject' | 'abstain' | 'no_stake' | 'error' | number;

/** What must not go through, whatever others say, and what shows it. */
export interface Objection {
  readonly claim: string;
  readonly evidence: string;
  /** What stands at the places of the evidence that the voters were not shown before; when it is put to others. */
  readonly windows?: readonly Window[];
}

/** One voter's answer, plain JSON. */
export interface Ballot {
  readonly voter: VoterName;
  /** `provider:name` of the model that answered, or that was asked. */
  readonly model: string;
  readonly choice: Choice;
  /** What the voter says of itself, from 0 to 1; kept, and not counted. */
  readonly confidence: number;
  /** For a ballot in error, what went wrong. */
  readonly reasoning: string;
  /** What must be so for the ballot to stand as it was cast; none for a panel's. */
  readonly conditions?: readonly string[];
  /** Conditions of its first ballot that its voter took back when it was asked again. */
  readonly takenBack?: readonly string[];
  readonly objection?: Objection;
  /** What it was cast as, where a condition that is not met turned it. */
  readonly castAs?: Choice;
}

/** Whether it was had, and of somebody with a stake: one of the ballots that a count begins from. */
export function hasStake({ choice }: Ballot): boolean {
  return choice !== 'no_stake' && choice !== 'error';
}

/** Whether it speaks for something: neither an abstention nor an error. */
export function takesSide({ choice }: Ballot): boolean {
  return choice !== 'abstain' && choice !== 'no_stake' && choice !== 'error';
}
