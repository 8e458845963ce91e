import { CLIENT_TIMEOUT } from '../server/session-environment.ts';

/** Undefined where it is not said, or by what is no number of milliseconds. */
export function clientTimeoutMs(env: Readonly<Record<string, string | undefined>>): number | undefined {
  const ms = Number(env[CLIENT_TIMEOUT]);
  return ms > 0 && Number.isFinite(ms) ? ms : undefined;
}
