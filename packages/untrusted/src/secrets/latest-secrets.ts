import { holdSecrets } from './redact-text.ts';

/** What is on its way out when a secret is replaced may tell it still. */
const LATE_MS = 600_000;

interface Lease {
  readonly values: readonly string[];
  release(): void;
}

const leases = new Map<string, Lease>();

/**
 * As `holdSecrets`, for what is replaced in time, such as the tokens in a file: the values before are let go
 * ten minutes after others came in their place.
 * @param of what they are the secrets of, the same each time
 */
export function holdLatest(of: string, values: Iterable<string>): void {
  const now = [...new Set(values)].sort();
  const before = leases.get(of);
  if (before && before.values.join('\n') === now.join('\n')) return;
  leases.set(of, { values: now, release: holdSecrets(now) });
  if (before) releaseLater(before.release);
}

/** Lets secrets go that nothing uses any more, once what is on its way out has left. */
export function releaseLater(release: () => void): void {
  setTimeout(release, LATE_MS).unref();
}
