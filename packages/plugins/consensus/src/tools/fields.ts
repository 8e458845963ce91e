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
  countedAs: z.string().optional().describe('Instead, as a condition of it is not met.'),
  confidence: z.number().describe('0 to 1, as the voter says; not counted.'),
  reasoning: z.string().describe('For error, what went wrong.'),
});

export const conditionalBallot = ballot.extend({
  conditions: z.array(z.string()).optional(),
  takenBack: z.array(z.string()).optional().describe('Conditions that it took back.'),
});

export const leftOut = z.array(z.unknown()).describe('voter, why: not asked.');

export const ground = z.unknown().describe('Shown to voters: references; missing.');

export const panelDiversity = z.unknown().describe('Whose view it is: voters, models, vendors, spread.');

export const effectiveVotes = z
  .unknown()
  .describe('What the ballots are worth: count (absent without a record), correlation, basis.');
