const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * How long ago `--since` is: a span such as `90m`, `12h` or `3d`, or a time such as `2026-01-31` or
 * `2026-01-31T08:00Z`.
 * @throws {Error} for what is neither, or a time to come
 */
export function sinceMs(written: string, now: number = Date.now()): number {
  const [, number, unit] = /^(\d{1,6})(s|m|h|d)$/.exec(written) ?? [];
  if (number !== undefined) return Number(number) * UNITS[unit as keyof typeof UNITS]; // as matched
  const at = /^\d{4}-\d\d-\d\d/.test(written) ? Date.parse(written) : Number.NaN;
  if (at <= now) return now - at;
  throw new Error(
    `--since must be a span such as 90m, 12h or 3d, or a past time such as 2026-01-31; found "${written}"`,
  );
}
