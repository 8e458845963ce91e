import { answerRoom, type CallContext, defineTool, fitting, jsonLength, nextPage } from '@nexus/plugin-sdk';
import { OWN_SENTENCES } from '@nexus/primitives';
import { z } from 'zod';
import { everyExpert } from '../listing.ts';
import type { ExpertsState } from '../state.ts';
import { role } from './fields.ts';

/** Of an answer that has their descriptions; in a smaller one they are there by their names. */
const ROLES_SHARE = 0.75;

const LEFT_OUT = OWN_SENTENCES.rolesLeftOut();

export const listExperts = defineTool({
  name: 'list_experts',
  title: 'List experts',
  description:
    'The roles of experts that orchestrate and create_expert know, what each can do, and the experts that were created. Needs no model.',
  input: z.object({
    format: z.enum(['full', 'names']).default('full').describe('names leaves out the rest.'),
    offset: z.int().min(0).max(1e9).default(0).describe('Created to skip.'),
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
    nextOffset: z.int().optional(),
    count: z.int().describe('Of roles.'),
    leftOut: z.string().optional().describe('Of the roles, and where it is.'),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call({ format, offset }, { state, host, user }: CallContext<ExpertsState>) {
    const { nextOffset: _, createdTotal, ...all } = await everyExpert(state, { user, offset });
    const room = answerRoom(host.results);
    const hasRoom = 2 * jsonLength(all.experts) <= ROLES_SHARE * room;
    const experts = format === 'full' && hasRoom ? all.experts : all.experts.map(({ role }) => ({ role }));
    const left = format === 'full' && !hasRoom ? { leftOut: LEFT_OUT } : {};
    const created = fitting(all.created, {
      ...{ room, textOf: jsonLength, beside: jsonLength(experts) + jsonLength(left) },
    });
    const total = createdTotal ?? all.created.length;
    return {
      ...all,
      experts,
      created,
      ...left,
      ...(total > created.length ? { createdTotal: total } : {}),
      ...nextPage(offset, created.length, total),
    };
  },
});
