import type { PendingChange, PendingPlace } from '@nexus/downstream';
import { loadConfig } from '../loaded-config/load-config.ts';
import { acceptPins } from '../server/accept-pins.ts';
import { ask } from './ask.ts';
import { withOwnNexus } from './with-own-nexus.ts';

/** The changes that are held back, told by the running server or read from its store. */
export async function pendingChanges(config: string | undefined): Promise<readonly PendingChange[]> {
  const answer = await ask('pins', config);
  // The owner is of this build, so its answer is of this type.
  if (answer) return answer.held as readonly PendingChange[];
  return withOwnNexus(await loadConfig({ config }), ({ downstreams }) => downstreams.pins.pending());
}

/** Accepts changes that were shown; a running server has them at once. */
export async function acceptChanges(
  config: string | undefined,
  place: PendingPlace,
  shown: readonly string[],
): Promise<readonly PendingChange[]> {
  const { toolbox, server, tool } = place;
  const details = {
    shown: shown.join(','),
    ...(toolbox === undefined ? {} : { toolbox }),
    ...(server === undefined ? {} : { server }),
    ...(tool === undefined ? {} : { tool }),
  };
  const answer = await ask('accept-pins', config, details);
  if (answer) return answer.accepted as readonly PendingChange[];
  return withOwnNexus(await loadConfig({ config }), (nexus) => acceptPins(nexus, place, shown));
}
