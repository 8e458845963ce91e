import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ChainLine } from '../chain/event.ts';
import { OPENINGS } from '../chain/places.ts';
import { linesOf } from '../chain/read-chain.ts';
import { aside } from '../commit/erase-openings.ts';
import type { Fault } from './fault.ts';

/** The commitments of one chain, and what of them nobody can open any more. */
export class Commitments {
  /** When each event was that has some, and how many. */
  readonly #events = new Map<number, { readonly at: string; readonly count: number }>();

  add({ seq, at, data }: ChainLine): void {
    let count = 0;
    for (const key of Object.keys(data)) if (isCommitment(data[key])) count += 1;
    if (count > 0) this.#events.set(seq, { at, count });
  }

  /**
   * Holds them against the salts that lie beside the chain, and forgets them.
   * @returns of those that can't be opened, how many there are and when the newest of their events was
   */
  lost(folder: string): { readonly count: number; readonly newest: string } {
    const openable = new Map<number, number>();
    for (const file of [join(folder, OPENINGS), aside(folder)]) {
      if (this.#events.size === 0 || !existsSync(file)) continue;
      for (const { text } of linesOf(file)) {
        const seq = seqOf(text);
        if (seq !== undefined) openable.set(seq, (openable.get(seq) ?? 0) + 1);
      }
    }
    let lost = 0;
    let newest = '';
    for (const [seq, { at, count }] of this.#events) {
      const missing = count - (openable.get(seq) ?? 0);
      if (missing <= 0) continue;
      lost += missing;
      if (at > newest) newest = at;
    }
    this.#events.clear();
    return { count: lost, newest };
  }
}

/** @param erasedUpTo of erasures that are on record, ISO 8601 */
export function lostFault(
  folder: string,
  { count, newest }: { readonly count: number; readonly newest: string },
  erasedUpTo: string,
): Fault | undefined {
  if (count === 0 || newest <= erasedUpTo) return undefined;
  const what = `${count} commitments can’t be opened, the newest of ${newest}, and no erasure of them is on record`;
  return { kind: 'unopenable', where: join(folder, OPENINGS), what };
}

function isCommitment(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'hmac' in value && 'size' in value;
}

function seqOf(row: string): number | undefined {
  // Rows are ours, and there may be a million.
  const seq = /^\{"seq":(\d{1,15}),/.exec(row)?.[1];
  return seq === undefined ? undefined : Number(seq);
}
