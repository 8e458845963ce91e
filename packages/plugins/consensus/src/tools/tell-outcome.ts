import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { tellOutcome as tell } from '../record/outcome-run.ts';
import type { ConsensusState } from '../state.ts';

export const tellOutcome = defineTool({
  name: 'tell_outcome',
  title: 'Tell an outcome',
  description:
    'Tells whether what a vote decided was right; weighted votes weigh voters by it. The last word counts.',
  input: z.object({
    recordId: z.string().min(1).max(100).describe('Of consensus_vote.'),
    outcome: z.enum(['right', 'wrong']).describe('What it turned out to be.'),
    source: z.string().min(1).max(500).describe('What showed it.'),
  }),
  output: z.object({
    ballots: z.object({ right: z.int(), wrong: z.int() }).describe('How many that makes so.'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  call: (told, { state, user }: CallContext<ConsensusState>) => tell(state.record, told, user),
});
