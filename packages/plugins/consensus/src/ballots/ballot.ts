import type { VoterName } from '../voters/voters.ts';

/** What a ballot says: a side of approve or reject, the number of an option, neither, or that it could not be had. */
export type Choice = 'approve' | 'reject' | 'abstain' | 'error' | number;

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
}

/** Whether it speaks for something: neither an abstention nor an error. */
export function takesSide({ choice }: Ballot): boolean {
  return choice !== 'abstain' && choice !== 'error';
}
