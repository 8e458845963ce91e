import type { HeldChange, HeldPlace } from '@nexus/downstream';
import type { Nexus } from '../boot/boot.ts';

/** Accepts changed definitions that were shown, and puts on record which. */
export async function acceptPins(
  { downstreams, audit }: Nexus,
  place: HeldPlace,
  shown: readonly string[],
): Promise<readonly HeldChange[]> {
  const accepted = await downstreams.pins.accept(place, shown);
  for (const { toolbox, server, tool, hash } of accepted) {
    await audit.record({ kind: 'pin.accepted', data: { toolbox, server, tool, hash } });
  }
  return accepted;
}
