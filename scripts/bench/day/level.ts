import { median } from '../statistics.ts';
import type { Footprint, KINDS } from './footprint.ts';

type Kind = keyof typeof KINDS;

/** What has to be at the end what it was early on; the tables and records keep what was done until their time is over. */
const LEVEL: readonly Kind[] = ['memory', 'descriptors', 'threads', 'children', 'temporary', 'others'];
/** How much more may be noise: a tenth, and so many. */
const NOISE = { share: 1.1, count: 3 } as const;

export interface Levelled {
  readonly kind: Kind;
  /** Level: the most of the first half, the median at the end. Growing: what each round added, early and at the end. */
  readonly early: number;
  readonly late: number;
  readonly isLevel: boolean;
}

/**
 * The last fifth of the rounds beside earlier ones. What is held is held to the most of the first half: threads end
 * when they were idle for a while, so that it differs from round to round by whether that came before the look.
 */
export function levelled(rounds: readonly Partial<Footprint>[]): Levelled[] {
  const fifth = Math.max(1, Math.floor(rounds.length / 5));
  const firstHalf = rounds.slice(0, Math.ceil(rounds.length / 2));
  const late = rounds.slice(-fifth);
  return (Object.keys(rounds[0] ?? {}) as Kind[]).map((kind) => {
    const figures = LEVEL.includes(kind)
      ? { early: Math.max(...firstHalf.map((each) => each[kind] ?? 0)), late: middle(late, kind) }
      : {
          early: added(rounds.slice(fifth - 1, 2 * fifth), kind),
          late: added(rounds.slice(-fifth - 1), kind),
        };
    return { kind, ...figures, isLevel: figures.late <= figures.early * NOISE.share + NOISE.count };
  });
}

function middle(rounds: readonly Partial<Footprint>[], kind: Kind): number {
  return median(rounds.map((each) => each[kind] ?? 0));
}

/** By each round from the first to the last. */
function added(rounds: readonly Partial<Footprint>[], kind: Kind): number {
  const [first, last] = [rounds[0]?.[kind] ?? 0, rounds.at(-1)?.[kind] ?? 0];
  return (last - first) / Math.max(1, rounds.length - 1);
}
