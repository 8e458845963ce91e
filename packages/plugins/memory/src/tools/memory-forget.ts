import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { BACKEND_NAMES } from '../backends.ts';
import type { MemoryState } from '../index.ts';
import { seenId } from '../seen-id.ts';

export const memoryForget = defineTool({
  name: 'memory_forget',
  title: 'Forget',
  description:
    'Take a key out of memory for good, with all versions. One not seen yet is shown first: call again.',
  input: z.object({
    backend: z.enum(BACKEND_NAMES).describe('Of session, your own.'),
    key: z.string().min(1).max(200).describe('Its key, whole.'),
  }),
  output: z.object({
    forgotten: z.boolean().describe('False where there was none.'),
    versions: z.number().int(),
  }),
  text: ({ forgotten, versions }) =>
    forgotten
      ? `Forgotten, ${versions === 1 ? 'its one version' : `all ${versions} versions`}.`
      : 'There is no such key.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call({ backend, key }, { state, session }: CallContext<MemoryState>) {
    const seen = {
      has: (version: number) => state.lookedAt.has(session, seenId(backend, key, version)),
      add: (version: number) => state.lookedAt.add(session, [seenId(backend, key, version)]),
    };
    const [memory, { forgetEntry }] = await Promise.all([state.open(), import('../forget-entry.ts')]);
    return forgetEntry(memory, { backend, key, sessionId: session.id, seen });
  },
});
