import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { tellOutcome as tell } from '../record/tell-outcome.ts';
import type { ConsensusState } from '../state.ts';

export const tellOutcome = defineTool({
  name: 'tell_outcome',
  title: 'Tell an outcome',
  description:
    'Tells how a vote or a run turned out; voters and models are weighed by it. The last word counts.',
  input: z.object({
    recordId: z.string().min(1).max(100).describe('Of a vote, or a runId.'),
    outcome: z.enum(['right', 'wrong']).describe('How it turned out.'),
    source: z.string().min(1).max(500).describe('What showed it.'),
  }),
  output: z.object({
    recordId: z.string(),
    outcome: z.string(),
    decision: z.string().optional(),
    ballots: z.object({ right: z.int(), wrong: z.int() }).optional(),
    models: z.array(z.string()).describe('Weighed by it from now on.'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call(told, context: CallContext<ConsensusState>) {
    const { models, ...rest } = await tell(context.state.record, told, context);
    return { ...rest, models: [...models] };
  },
});
