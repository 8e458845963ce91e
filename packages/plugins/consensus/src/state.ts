import type { ConsensusOptions } from './options.ts';
import type { VoteRecord } from './record/vote-record.ts';

export interface ConsensusState {
  readonly options: ConsensusOptions;
  readonly record: VoteRecord;
}
