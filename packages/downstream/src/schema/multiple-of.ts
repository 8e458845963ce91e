import type { Budget } from './budget.ts';

/** What it costs to count with whole numbers of any length at all. */
const BIGINT_STEPS = 10;

/** Whether a number is a multiple of another as they are written, whatever binary fractions make of them. */
export function isMultipleOf(value: number, divisor: number, budget: Budget): boolean {
  if (!Number.isFinite(value) || !Number.isFinite(divisor) || divisor <= 0) return false;
  const [one, other] = [decimal(value), decimal(divisor)];
  const exponent = Math.min(one.exponent, other.exponent);
  // Digits that are written out: up to some 600.
  budget.spend(BIGINT_STEPS + (Math.abs(one.exponent - other.exponent) >> 3));
  const scaled = ({ digits, exponent: own }: Decimal) => digits * 10n ** BigInt(own - exponent);
  return scaled(one) % scaled(other) === 0n;
}

interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

function decimal(value: number): Decimal {
  const [coefficient = '0', exponent = '0'] = Math.abs(value).toString().split('e');
  const [whole = '', fraction = ''] = coefficient.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}
