import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { BusState } from '../bus.ts';
import { callingWorker } from '../fields.ts';
import { placesOf } from '../reservations/places-of.ts';
import { releaseGlobs } from '../reservations/release-globs.ts';
import { requireSelf } from '../workers.ts';

export const releaseFiles = defineTool({
  name: 'release_files',
  title: 'Release files',
  description: 'Ends reservations made by reserve_files; answers those that were held.',
  input: z.object({
    worker: callingWorker,
    globs: z.array(z.string().max(500)).max(50).optional().describe('As reserved. Omitted: all of yours.'),
  }),
  aliases: { files: 'globs', paths: 'globs' },
  output: z.object({ released: z.array(z.string()) }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  async call({ worker, globs }, { state, host, user }: CallContext<BusState>) {
    const named = globs?.flatMap((glob) => placesOf(glob, host.projectRoot));
    const bus = await state.open();
    await requireSelf(bus, { name: worker, user });
    const released = await releaseGlobs(bus, worker, named);
    return { released };
  },
});
