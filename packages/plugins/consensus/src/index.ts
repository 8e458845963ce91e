import { definePlugin } from '@nexus/plugin-sdk';
import { consensusOptions } from './options.ts';
import { panelRun } from './panel/panel-run.ts';
import { outcomeRun } from './record/outcome-run.ts';
import { voteRecord } from './record/vote-record.ts';
import { votes } from './resources/votes.ts';
import { reviewRun } from './review/review-run.ts';
import type { ConsensusState } from './state.ts';
import { consensusVote } from './tools/consensus-vote.ts';
import { prReview } from './tools/pr-review.ts';
import { supplyChainTradeoffPanel } from './tools/supply-chain-tradeoff-panel.ts';
import { voteRun } from './vote/vote-run.ts';

export type { VoteView } from './resources/votes.ts';

export default definePlugin({
  name: 'consensus',
  options: consensusOptions,
  tools: [consensusVote, prReview, supplyChainTradeoffPanel],
  resources: [votes],
  runs: [voteRun, outcomeRun, panelRun, reviewRun],
  async start(options, { store }): Promise<ConsensusState> {
    return { options, record: voteRecord(store) };
  },
  async stop() {},
});
