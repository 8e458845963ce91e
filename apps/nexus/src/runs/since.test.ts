import { expect, it } from 'vitest';
import { sinceMs } from './since.ts';

const now = Date.parse('2026-02-01T00:00:00Z');

it('reads how long ago something was, as a span or as a time', () => {
  expect(sinceMs('90m', now)).toBe(90 * 60_000);
  expect(sinceMs('3d', now)).toBe(3 * 86_400_000);
  expect(sinceMs('2026-01-31', now)).toBe(86_400_000);
  expect(sinceMs('2026-01-31T23:00Z', now)).toBe(3_600_000);
});

it('refuses what is neither, and what is to come', () => {
  for (const written of ['', 'yesterday', '3', '3w', '1', '2026-02-02', '2026-99-99']) {
    expect(() => sinceMs(written, now), written).toThrow('--since must be');
  }
});
