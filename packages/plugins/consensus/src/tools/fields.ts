import { z } from 'zod';
import { voterNames } from '../voters/voters.ts';

export const quickMode = z.boolean().default(false).describe('Only architect, security and scope_steward.');

export const voters = z
  .array(z.enum(voterNames))
  .min(1)
  .max(7)
  .optional()
  .describe('Who votes; by default all with a stake in it.');

export const ballot = z.object({
  voter: z.string(),
  model: z.string(),
  decision: z.string().describe('approve, reject, abstain, no_stake, the option chosen, or error.'),
  confidence: z.number().describe('0 to 1, as the voter says; not counted.'),
  reasoning: z.string().describe('For error, what went wrong.'),
});

export const conditionalBallot = ballot.extend({ conditions: z.array(z.string()).optional() });

export const leftOut = z.array(z.unknown()).describe('voter, why: not asked.');

export const ground = z.unknown().describe('Shown to voters: references; missing.');

export const panelDiversity = z
  .object({
    voters: z.int().describe('Ballots that could be had.'),
    models: z.int().describe('Distinct ones among them.'),
    vendors: z.int(),
    spread: z.array(z.object({ model: z.string(), vendor: z.string(), voters: z.array(z.string()) })),
  })
  .describe('Whose view it is.');

export const effectiveVotes = z
  .object({
    count: z
      .number()
      .optional()
      .describe('How many independent votes the panel is worth; absent without a record.'),
    correlation: z.number().optional().describe('Of the panel’s ballots, 0 to 1.'),
    basis: z.string().describe('What it rests on, or why it is not known.'),
  })
  .describe('What the count of ballots is worth.');
