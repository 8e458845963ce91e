/** Money is kept in millionths of a US dollar, which add up exactly. */
const MICROS = 1_000_000;

export function toMicros(usd: number): number {
  return Math.ceil(usd * MICROS - 1e-6);
}

export function toUsd(micros: number): number {
  return micros / MICROS;
}
