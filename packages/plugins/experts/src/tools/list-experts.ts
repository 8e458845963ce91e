import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { roles } from '../roles/roles.ts';
import type { ExpertsState } from '../state.ts';
import { role } from './fields.ts';

const MAX_CREATED = 100;

export const listExperts = defineTool({
  name: 'list_experts',
  title: 'List experts',
  description:
    'The roles of experts that orchestrate and create_expert know, with what each can do, and the experts that were created. Needs no model.',
  input: z.object({
    format: z
      .enum(['full', 'names'])
      .default('full')
      .describe('names leaves out descriptions and capabilities.'),
  }),
  output: z.object({
    experts: z.array(
      z.object({
        role,
        description: z.string().optional(),
        capabilities: z.array(z.string()).optional(),
      }),
    ),
    created: z.array(z.object({ expertId: z.string(), role, model: z.string().optional() })),
    createdTotal: z.int().optional().describe('Where not all that were created are listed.'),
    count: z.int().describe('Of roles.'),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call({ format }, { state }: CallContext<ExpertsState>) {
    const { experts: created, total } = await state.created.list(MAX_CREATED);
    return {
      experts: roles.map(({ role, description, capabilities }) =>
        format === 'names' ? { role } : { role, description, capabilities: [...capabilities] },
      ),
      created: created.map(({ instructions: _, ...expert }) => expert),
      ...(total > created.length ? { createdTotal: total } : {}),
      count: roles.length,
    };
  },
});
