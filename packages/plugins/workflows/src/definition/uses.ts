import { voteErrorPolicies, votingStrategies } from '@nexus/plugin-sdk';
import { z } from 'zod';

/** Who does a step. */
export type Uses =
  | { readonly type: 'tool'; readonly tool: string }
  | { readonly type: 'expert'; readonly role: string }
  | { readonly type: 'vote' };

/** @returns undefined where it names nobody */
export function readUses(uses: string): Uses | undefined {
  if (uses === 'vote') return { type: 'vote' };
  const [, type, name = ''] = /^(tool|expert):([A-Za-z0-9_.-]+)$/.exec(uses) ?? [];
  if (type === 'tool') return { type, tool: name };
  return type === 'expert' ? { type, role: name } : undefined;
}

const facts = z.record(z.string().min(1).max(200), z.unknown());

/** `with` of an expert. */
export const expertWith = z.strictObject({
  task: z.string().min(1).max(50_000),
  context: facts.optional(),
  instructions: z.string().min(1).max(10_000).optional(),
  model: z.string().min(1).max(200).optional(),
  maxSteps: z.int().min(1).max(200).optional(),
});

/** `with` of a vote. */
export const voteWith = z.strictObject({
  proposal: z.string().min(1).max(4_000),
  options: z.array(z.string().min(1).max(500)).min(2).max(10).optional(),
  strategy: z.enum(votingStrategies).optional(),
  quickMode: z.boolean().optional(),
  errorPolicy: z.enum(voteErrorPolicies).optional(),
});

/** What is given to those whose schema is known before they are there. */
export const withOf: Readonly<Record<Uses['type'], z.ZodType | undefined>> = {
  tool: undefined,
  expert: expertWith,
  vote: voteWith,
};
