import { type Grown, NOISE, type Point } from './row.ts';

/** Noise and what each start costs bend a straight line by so much. */
const STEEPEST = 1.25;

/**
 * The exponent of the curve through the points: the slope of the line of least squares through their logarithms.
 * 0 is flat, 1 linear, 2 quadratic.
 * @param floor costs below it count as it, since they are noise
 */
export function slope(points: readonly Point[], floor = Number.MIN_VALUE): number {
  const logs = points.map(({ size, cost }) => [Math.log(size), Math.log(Math.max(cost, floor))] as const);
  const mean = (at: 0 | 1) => logs.reduce((sum, each) => sum + each[at], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  const over = logs.reduce((sum, each) => sum + (each[0] - x) * (each[1] - y), 0);
  return over / logs.reduce((sum, each) => sum + (each[0] - x) ** 2, 0);
}

/** Of a row: its exponent, and what is wrong with it. */
export function verdict({ row, points }: Grown): { readonly exponent: number; readonly faults: string[] } {
  // Noise at the small end flattens; a bend at the large end has to show all the same.
  const exponent = Math.max(slope(points, NOISE[row.unit]), slope(points.slice(1), NOISE[row.unit]));
  const largest = points.at(-1);
  const faults: string[] = [];
  if (exponent > (row.steepest ?? STEEPEST)) faults.push('worse than linear');
  const isWhole = largest?.size === row.sizes[2];
  if (isWhole && row.atMost !== undefined && largest.cost > row.atMost) {
    faults.push(`over ${row.atMost.toLocaleString('en-US')} ${row.unit}`);
  }
  return { exponent, faults };
}
