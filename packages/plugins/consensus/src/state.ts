import type { ConsensusOptions } from './options.ts';
import type { VoteRecord } from './record/vote-record.ts';
import type { Room } from './review/reading/room.ts';

export interface ConsensusState {
  readonly options: ConsensusOptions;
  readonly record: VoteRecord;
  readonly room: Room;
}
