import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { assertModelNamed } from '../models/assert-model-named.ts';
import { experts } from '../resources/experts.ts';
import { roleOf } from '../roles/roles.ts';
import type { ExpertsState } from '../state.ts';
import { modelPreference, role } from './fields.ts';

export const createExpert = defineTool({
  name: 'create_expert',
  title: 'Create expert',
  description:
    'Makes an expert of a role with its own model or instructions, for execute_expert. Asks no model.',
  input: z.object({
    role: role.describe('What it is an expert in.'),
    modelPreference: modelPreference.optional(),
    instructions: z
      .string()
      .min(1)
      .max(10_000)
      .optional()
      .describe('Told to it beside its role’s own prompt.'),
  }),
  output: z.object({
    expertId: z.string(),
    role,
    capabilities: z.array(z.string()),
    model: z.string().describe('What it will ask; default stands for the config’s choice.'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  needsModel: true,
  budget: 'interactive',
  async call({ role, modelPreference: model, instructions }, context: CallContext<ExpertsState>) {
    const { state, host } = context;
    await assertModelNamed(model, host.models, context);
    const made = {
      role,
      ...(model === undefined ? {} : { model }),
      ...(instructions === undefined ? {} : { instructions }),
    };
    const created = await state.created.create(made, context.user);
    host.events.resourceUpdated(experts.uri);
    const { capabilities } = roleOf(role);
    return { expertId: created.expertId, role, capabilities: [...capabilities], model: model ?? 'default' };
  },
});
