import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { BusState } from '../bus.ts';
import { capabilities, newWorkerName } from '../fields.ts';
import { sharedNote } from '../pollers.ts';
import * as workers from '../workers.ts';

export const registerWorker = defineTool({
  name: 'register_worker',
  title: 'Register worker',
  description: 'Lets a worker poll tasks, get messages and reserve files; again updates it.',
  input: z.object({
    name: newWorkerName.describe('The worker name (e.g., z.ai1)'),
    capabilities: capabilities
      .optional()
      .describe('Skills or teams, e.g. ["rust"]; it gets no task that needs more. Omitted: as before.'),
    maxTasks: z.int().min(1).max(1_000).optional().describe('Leases it holds at most.'),
  }),
  aliases: { worker: 'name', agent: 'name' },
  output: z.object({ name: z.string(), capabilities: z.array(z.string()), note: z.string().optional() }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call({ name, ...given }, context: CallContext<BusState>) {
    const { state, user, session } = context;
    const bus = await state.open();
    const worker = await workers.registerWorker(bus, { name, user }, given);
    bus.lookedAt.workers.add(session, [name]);
    const isShared = await bus.pollers.registers(name, context);
    const note = isShared ? { note: sharedNote(name) } : {};
    return { name, capabilities: [...worker.capabilities], ...note };
  },
});
