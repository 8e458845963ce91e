import { z } from 'zod';

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const DURATION = /^(\d{1,6}(?:\.\d{1,3})?)(s|m|h|d)$/;
const MAX_DAYS = 366;

/** A time span as a workflow file has it, such as `90s`, `30m`, `2h` or `3d`. */
export const duration = z.string().refine((text) => (durationMs(text) ?? 0) > 0, {
  error: `must be a number and a unit, such as 90s, 30m, 2h or 3d, up to ${MAX_DAYS}d`,
});

/** @returns undefined for what is no time span, or too long for one */
export function durationMs(text: string): number | undefined {
  const [, number, unit] = DURATION.exec(text) ?? [];
  if (number === undefined) return undefined;
  const ms = Number(number) * UNITS[unit as keyof typeof UNITS]; // as matched
  return ms <= MAX_DAYS * UNITS.d ? ms : undefined;
}
