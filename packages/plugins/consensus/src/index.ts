import { definePlugin } from '@nexus/plugin-sdk';
import { consensusOptions } from './options.ts';
import { outcomeRun } from './record/outcome-run.ts';
import { voteRecord } from './record/vote-record.ts';
import type { ConsensusState } from './state.ts';
import { consensusVote } from './tools/consensus-vote.ts';
import { voteRun } from './vote/vote-run.ts';

export default definePlugin({
  name: 'consensus',
  options: consensusOptions,
  tools: [consensusVote],
  runs: [voteRun, outcomeRun],
  async start(options, { store }): Promise<ConsensusState> {
    return { options, record: voteRecord(store) };
  },
  async stop() {},
});
