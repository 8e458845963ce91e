import type { VoteOutput } from '@nexus/plugin-sdk';
import type { VoterName } from '../voters/voters.ts';

export interface Tables {
  consensus_votes: VoteRow;
  consensus_ballots: BallotRow;
}

/** One vote, or one panel over several axes. */
export interface VoteRow {
  id: string;
  run_id: string;
  /** Who had it decided; null for the server's own user. */
  user_id: string | null;
  kind: 'vote' | 'panel';
  proposal: string;
  /** JSON list of texts; null where one proposal was to be approved. */
  options: string | null;
  strategy: string;
  error_policy: string;
  decision: VoteOutput['decision'] | PanelDecision;
  /** Of the options, from 0. */
  winner: number | null;
  approval: number;
  /** Epoch milliseconds, by the database's clock, as is `outcome_at`. */
  created_at: number;
  /** What the decision turned out to be; null as long as nobody told. */
  outcome: Outcome | null;
  /** Who told, or what showed it. */
  outcome_source: string | null;
  outcome_at: number | null;
  /** JSON of what it answered; null for one that was held before that was kept. */
  told: string | null;
}

export type PanelDecision = 'approve' | 'reject' | 'mixed';

/** What a decision turned out to be. */
export type Outcome = 'right' | 'wrong';

export interface BallotRow {
  vote_id: string;
  /** Of a panel; empty for a vote. */
  axis: string;
  voter: VoterName;
  model: string;
  /** `approve`, `reject`, `abstain`, `no_stake`, `error`, or the number of an option from 0. */
  choice: string;
  confidence: number;
  reasoning: string;
}
