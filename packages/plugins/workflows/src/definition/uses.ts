import { proofKinds } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { duration } from './durations.ts';

/** Who does a step. */
export type Uses =
  | { readonly type: 'tool'; readonly tool: string }
  | { readonly type: 'expert'; readonly role: string }
  | { readonly type: (typeof ALONE)[number] };

/** What needs no name. */
const ALONE = ['vote', 'prove', 'ask', 'wait'] as const;

/** What `uses` can begin with. */
export const usesWords: readonly string[] = ['tool', 'expert', ...ALONE];

/** @returns undefined where it names nobody */
export function readUses(uses: string): Uses | undefined {
  const alone = ALONE.find((each) => each === uses);
  if (alone) return { type: alone };
  // A server names its tools as it likes.
  const [, tool] = /^tool:(\P{C}+)$/u.exec(uses) ?? [];
  if (tool !== undefined) return { type: 'tool', tool };
  const [, role] = /^expert:([A-Za-z0-9_.-]+)$/.exec(uses) ?? [];
  return role === undefined ? undefined : { type: 'expert', role };
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
  strategy: z.string().min(1).max(100).optional(),
  quickMode: z.boolean().optional(),
  errorPolicy: z.string().min(1).max(100).optional(),
});

/** `with` of a proof. */
export const proveWith = z.strictObject({
  kind: z.enum(proofKinds),
  claim: z.string().min(1).max(50_000),
  context: facts.optional(),
});

/** What a person is asked for beside yes or no. */
const askedField = z.strictObject({
  name: z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/, 'must be letters, digits and _, a letter first'),
  type: z.enum(['string', 'number', 'integer', 'boolean']).default('string'),
  title: z.string().min(1).max(200).optional(),
  description: z.string().min(1).max(1_000).optional(),
  options: z.array(z.string().min(1).max(200)).min(1).max(50).optional(),
  default: z.union([z.string().max(2_000), z.number(), z.boolean()]).optional(),
  required: z.boolean().default(true),
});

export type AskedField = z.output<typeof askedField>;

/** `with` of a question. */
export const askWith = z.strictObject({
  message: z.string().min(1).max(4_000),
  fields: z.array(askedField).max(20).default([]),
  subject: z.unknown().optional(),
  expireAfter: duration.optional(),
});

const busMessage = z.strictObject({
  to: z.string().min(1).max(100),
  thread: z.string().min(1).max(64).optional(),
});

const WAYS = ['for', 'until', 'message', 'task'] as const;

/** `with` of a wait. */
export const waitWith = z
  .strictObject({
    for: duration.optional(),
    until: z.iso.datetime({ offset: true }).optional(),
    message: busMessage.optional(),
    task: z.string().min(1).max(64).optional(),
    expireAfter: duration.optional(),
  })
  .refine((given) => WAYS.filter((way) => given[way] !== undefined).length === 1, {
    error: `must have exactly one of ${WAYS.join(', ')}`,
  })
  .refine(({ expireAfter, message, task }) => expireAfter === undefined || (message ?? task) !== undefined, {
    path: ['expireAfter'],
    error: 'is of a wait for a message or a task',
  });

/** What is given to those whose schema is known before they are there. */
export const withOf: Readonly<Record<Uses['type'], z.ZodType | undefined>> = {
  tool: undefined,
  expert: expertWith,
  vote: voteWith,
  prove: proveWith,
  ask: askWith,
  wait: waitWith,
};
