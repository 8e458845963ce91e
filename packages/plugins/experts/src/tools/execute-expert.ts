import {
  BASIS_MEANS,
  bases,
  type CallContext,
  capOf,
  defineRunTool,
  nearestNames,
  ToolError,
} from '@nexus/plugin-sdk';
import { calledText } from '@nexus/plugin-sdk/evidence';
import { z } from 'zod';
import type { CreatedExpert } from '../created/created-experts.ts';
import { type ExpertRole, expertRoles } from '../roles/roles.ts';
import type { ExpertsState } from '../state.ts';
import { type TurnInput, turnRun } from '../turn/turn-run.ts';
import { context as contextField, role } from './fields.ts';

/** @throws {ToolError} NEXUS_INVALID_ARGUMENTS for a role that there is not, NEXUS_NOT_FOUND for an expert */
async function expertNamed(
  named: string,
  { created }: ExpertsState,
  user: string | undefined,
): Promise<Omit<CreatedExpert, 'expertId'>> {
  if (isRole(named)) return { role: named };
  if (named.startsWith('expert_')) return created.find(named, user);
  const text = `expertId must be a role (${expertRoles.join(', ')}) or an id that create_expert answered; ${JSON.stringify(named)} is neither.`;
  throw new ToolError('NEXUS_INVALID_ARGUMENTS', text, {
    detail: { nearest: nearestNames(named, expertRoles) },
  });
}

function isRole(named: string): named is ExpertRole {
  return (expertRoles as readonly string[]).includes(named);
}

export const executeExpert = defineRunTool({
  name: 'execute_expert',
  title: 'Execute expert',
  description:
    'Has one expert, of a role or made by create_expert, do one task with its tools, and answers what it found and what that cost. It writes only what the config allows.',
  input: z.object({
    expertId: z
      .string()
      .min(1)
      .max(100)
      .describe('A role, such as code or security, or an id of create_expert.')
      .meta({ examples: ['code'] }),
    task: z.string().min(1).max(50_000).describe('What is wanted, with all that must be known.'),
    context: contextField,
    timeoutMs: z
      .int()
      .min(1_000)
      .max(3_600_000)
      .optional()
      .describe('After which the run fails; what is done is kept.'),
    previousExpertSummary: z.string().max(50_000).optional().describe('What an expert before found; data.'),
  }),
  aliases: { prompt: 'task', expert: 'expertId' },
  output: z.object({
    expertId: z.string().optional().describe('As the call named it.'),
    role,
    output: z.string(),
    ran: z.string().describe('What was run for it, by the record, whatever it says.'),
    basis: z.enum(bases).optional().describe(BASIS_MEANS),
    missing: z.array(z.string()),
    stopped: z.string().optional(),
    toolCalls: z.array(z.object({ name: z.string(), isError: z.boolean() })),
    durationMs: z.number(),
    model: z.string(),
  }),
  text: ({ output, stopped, basis, ran }) =>
    [
      output,
      ran,
      ...(stopped === undefined ? [] : [`(It ${stopped}.)`]),
      ...(basis === undefined ? [] : [`Basis: ${basis}.`]),
    ].join('\n\n'),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  isConduit: true,
  needsModel: true,
  budget: 'pipeline',
  kind: turnRun,
  cap: ({ options }) => capOf(options),
  async prepare(
    { expertId, task, context, timeoutMs, previousExpertSummary },
    { state, user }: CallContext<ExpertsState>,
  ) {
    const expert = await expertNamed(expertId, state, user);
    return {
      input: {
        role: expert.role,
        expertId,
        ...(expert.model === undefined ? {} : { model: expert.model }),
        ...(expert.instructions === undefined ? {} : { instructions: expert.instructions }),
        assignment: {
          task,
          ...(context === undefined ? {} : { context }),
          ...(previousExpertSummary === undefined
            ? {}
            : { earlier: [{ from: 'the expert before you', text: previousExpertSummary }] }),
        },
      },
      title: `${expert.role}: ${task}`,
      timeoutMs,
    };
  },
  async answer(
    { output, basis, missing = [], stopped, toolCalls, durationMs, model },
    { input: { expertId: named }, detail },
  ) {
    const { role: of, expertId = named } = (await detail()).input as TurnInput; // as it was begun
    return {
      ...(expertId === undefined ? {} : { expertId }),
      role: of,
      output,
      ran: calledText(toolCalls),
      ...(basis === undefined ? {} : { basis }),
      missing: [...missing],
      ...(stopped === undefined ? {} : { stopped }),
      toolCalls: toolCalls.map((each) => ({ ...each })),
      durationMs,
      model,
    };
  },
});
