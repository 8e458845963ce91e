import type { NamedOutcome, Outcome, StoredOutcome } from '../tables.ts';

/** What servers of versions before take it for. */
const NEAREST = { handed: 'released', cancelled: 'reset' } as const satisfies Record<
  NamedOutcome,
  StoredOutcome
>;

/** An outcome as it is put on record. */
export function toStored(outcome: Outcome): { outcome: StoredOutcome; named: NamedOutcome | null } {
  if (outcome === 'handed' || outcome === 'cancelled') return { outcome: NEAREST[outcome], named: outcome };
  return { outcome, named: null };
}

export function outcomeOf({
  outcome,
  named,
}: {
  readonly outcome: StoredOutcome;
  readonly named: NamedOutcome | null;
}): Outcome {
  return named ?? outcome;
}
