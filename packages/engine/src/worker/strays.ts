/** A run as the record has it for a process. */
interface Owned {
  readonly id: string;
  readonly epoch: number;
}

/**
 * Runs that are on record as this process's and in none of its hands.
 * @returns of those of a heartbeat, what was so at the one before: at the first sight, the answer to the write that
 *   makes it so may be on its way
 */
export function createStrays(isInHand: (runId: string) => boolean): (owned: readonly Owned[]) => Owned[] {
  let seen: ReadonlyMap<string, number> = new Map();
  return (owned) => {
    const inNoHands = owned.filter(({ id }) => !isInHand(id));
    const lasting = inNoHands.filter(({ id, epoch }) => seen.get(id) === epoch);
    seen = new Map(inNoHands.map(({ id, epoch }) => [id, epoch]));
    return lasting;
  };
}
