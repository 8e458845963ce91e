import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { tellOutcome as tell } from '../record/outcome-run.ts';
import type { ConsensusState } from '../state.ts';

export const tellOutcome = defineTool({
  name: 'tell_outcome',
  title: 'Tell how a vote turned out',
  description:
    'Tells, once it is known, whether what a vote decided was right. The strategy weighted weighs each voter by it from then on; the last word counts.',
  input: z.object({
    recordId: z.string().min(1).max(100).describe('Of consensus_vote.'),
    outcome: z.enum(['right', 'wrong']).describe('What the decision turned out to be.'),
    source: z.string().min(1).max(500).describe('What showed it, such as a test run.'),
  }),
  output: z.object({
    recordId: z.string(),
    decision: z.enum(['approved', 'rejected', 'no_quorum']),
    outcome: z.enum(['right', 'wrong']),
    ballots: z.object({ right: z.int(), wrong: z.int() }).describe('How many that makes so.'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  call: (told, { state }: CallContext<ConsensusState>) => tell(state.record, told),
});
