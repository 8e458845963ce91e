/** By which a host's settings say how long it waits for the answer of a call, which no message of its tells. */
export const CLIENT_TIMEOUT = 'NEXUS_CLIENT_TIMEOUT_MS';

/** Undefined where it is not said, or by what is no number of milliseconds. */
export function clientTimeoutMs(env: Readonly<Record<string, string | undefined>>): number | undefined {
  const ms = Number(env.NEXUS_CLIENT_TIMEOUT_MS);
  return ms > 0 && Number.isFinite(ms) ? ms : undefined;
}
