import type { PendingChange, PendingPlace } from '@nexus/downstream';
import type { Nexus } from '../boot/boot.ts';

/** Accepts changed definitions that were shown, which is put on record. */
export async function acceptPins(
  { downstreams, audit }: Nexus,
  place: PendingPlace,
  shown: readonly string[],
): Promise<readonly PendingChange[]> {
  // First, so that nothing is accepted that is not on record.
  await audit.record({ kind: 'pin.accepted', data: { ...place, hashes: shown } });
  return downstreams.pins.accept(place, shown);
}
