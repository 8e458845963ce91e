import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { BusState } from '../bus.ts';
import { callingWorker, moment, outlivesSession, toMoment } from '../fields.ts';
import { mainTreeOf } from '../reservations/main-tree.ts';
import { placesOf } from '../reservations/places-of.ts';
import { reserveGlobs } from '../reservations/reserve-globs.ts';
import { requireSelf } from '../workers.ts';

export const reserveFiles = defineTool({
  name: 'reserve_files',
  title: 'Reserve files',
  description:
    'Tells others which files you will change: all globs or none; the same again extends. Refused, naming holder and expiry, when one could match what another reserved and either is exclusive. Advisory: `nexus guard` checks commits.',
  input: z.object({
    worker: callingWorker,
    globs: z
      .array(z.string().max(500))
      .min(1)
      .max(50)
      .describe('From the project root: src/api/**; a folder is all below it.'),
    exclusive: z.boolean().default(true).describe('False: shared.'),
    ttlMs: z.int().min(1_000).max(86_400_000).default(3_600_000).describe('Holds this long.'),
    outlivesSession,
  }),
  aliases: { files: 'globs', paths: 'globs' },
  output: z.object({ globs: z.array(z.string()), expiresAt: moment, note: z.string().optional() }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  budget: 'interactive',
  async call({ worker, globs: given, exclusive, ttlMs, outlivesSession }, context: CallContext<BusState>) {
    const { state, host, user } = context;
    const globs = [...new Set(given.flatMap((glob) => placesOf(glob, host.projectRoot)))];
    const bus = await state.open();
    await requireSelf(bus, { name: worker, user });
    const { session, client, run } = context;
    const holder = await bus.holds.holderOf({ session, client, run, outlivesSession });
    const expiresAt = await reserveGlobs(bus, { worker, globs, exclusive, ttlMs, holder });
    return { globs, expiresAt: toMoment(expiresAt), ...noteIn(host.projectRoot) };
  },
});

/** A linked worktree is a project of its own: whoever reserves there is to know who does not see it. */
function noteIn(projectRoot: string): { readonly note?: string } {
  const main = mainTreeOf(projectRoot);
  if (main === undefined) return {};
  return {
    note: `This is a linked worktree, and what is reserved in it is seen in it alone. All of the repository see what is reserved in ${main}.`,
  };
}
