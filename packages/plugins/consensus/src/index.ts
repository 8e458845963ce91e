import { definePlugin, retiredRun } from '@nexus/plugin-sdk';
import { consensusOptions } from './options.ts';
import { retention } from './record/retention.ts';
import { voteRecord } from './record/vote-record.ts';
import { vote } from './resources/vote.ts';
import { votes } from './resources/votes.ts';
import { openRoom } from './review/reading/room.ts';
import { reviewRunsBefore } from './review/review-run.ts';
import type { ConsensusState } from './state.ts';
import { consensusVote } from './tools/consensus-vote.ts';
import { prReview } from './tools/pr-review.ts';
import { supplyChainTradeoffPanel } from './tools/supply-chain-tradeoff-panel.ts';
import { tellOutcome } from './tools/tell-outcome.ts';
import { conditionsRun } from './vote/conditions.ts';

export type { WholeVote } from './resources/vote.ts';
export type { VoteView } from './resources/votes.ts';
/** For whoever shows what it answers. */
export type { tellOutcome };

/** Votes with other steps than those of today, and what the tool tell_outcome does now. */
const RETIRED = [
  { name: 'consensus.outcome', version: 1 },
  { name: 'consensus.vote', version: 1 },
  { name: 'consensus.vote', version: 2 },
  { name: 'consensus.panel', version: 1 },
  { name: 'consensus.panel', version: 2 },
];

export default definePlugin<typeof consensusOptions, ConsensusState>({
  name: 'consensus',
  options: consensusOptions,
  tools: [consensusVote, prReview, supplyChainTradeoffPanel, tellOutcome],
  resources: [votes],
  resourceTemplates: [vote],
  retention,
  runs: [conditionsRun, ...reviewRunsBefore, ...RETIRED.map(retiredRun)],
  async start(options, { store, workers }): Promise<ConsensusState> {
    return { options, record: voteRecord(store), room: openRoom(workers) };
  },
  async stop() {},
});
