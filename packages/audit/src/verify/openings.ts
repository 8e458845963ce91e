import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ChainLine } from '../chain/event.ts';
import { OPENINGS } from '../chain/places.ts';
import { linesOf } from '../chain/read-chain.ts';
import { type Commitment, type Opening, opens, saltHashOf } from '../commit/commitment.ts';
import { aside } from '../commit/erase-openings.ts';
import type { Fault } from './fault.ts';

interface Committed {
  readonly at: string;
  readonly commitment: Commitment;
}

/**
 * The commitments of one chain, and what of them nobody can open any more. Openings lie in the order of the events, so both
 * are read side by side: only what is not opened yet is held.
 */
export class Commitments {
  readonly #folder: string;
  readonly #rows: Iterator<Opening, void>;
  #ahead: Opening | undefined;
  /** Those without a salt so far, by {@link keyOf}. */
  readonly #closed = new Map<string, Committed>();

  constructor(folder: string) {
    this.#folder = folder;
    this.#rows = openingsIn(folder);
  }

  add({ seq, at, data }: ChainLine): void {
    let has = false;
    for (const member of Object.keys(data)) {
      const commitment = data[member];
      if (!isCommitment(commitment)) continue;
      this.#closed.set(keyOf({ seq, member }), { at, commitment });
      has = true;
    }
    if (!has) return;
    for (let row = this.#ahead ?? this.#next(); row && row.seq <= seq; row = this.#next()) this.#open(row);
  }

  /**
   * Looks once more for what is not opened yet: an erasure puts what it keeps at the end, and a writer that lives goes on.
   * @returns of those that can't be opened, how many there are and when the newest of their events was
   */
  lost(): { readonly count: number; readonly newest: string } {
    if (this.#closed.size > 0) for (const row of openingsIn(this.#folder)) this.#open(row);
    let newest = '';
    for (const { at } of this.#closed.values()) if (at > newest) newest = at;
    return { count: this.#closed.size, newest };
  }

  #next(): Opening | undefined {
    this.#ahead = this.#rows.next().value ?? undefined;
    return this.#ahead;
  }

  #open(row: Opening): void {
    const key = keyOf(row);
    const committed = this.#closed.get(key);
    if (committed && isOpenedBy(committed.commitment, row)) this.#closed.delete(key);
  }
}

function keyOf({ seq, member }: Pick<Opening, 'seq' | 'member'>): string {
  return `${seq} ${member}`;
}

function isOpenedBy(commitment: Commitment, { salt, text }: Opening): boolean {
  if (commitment.saltHash !== undefined && commitment.saltHash !== saltHashOf(salt)) return false;
  return text === undefined || opens(commitment, { salt, text });
}

function* openingsIn(folder: string): Generator<Opening, void> {
  for (const file of [aside(folder), join(folder, OPENINGS)]) {
    if (!existsSync(file)) continue;
    for (const { text } of linesOf(file)) {
      const row = openingOf(text);
      if (row) yield row;
    }
  }
}

const ROW = /^\{"seq":(\d{1,15}),"member":"(\w{1,100})","salt":"([0-9a-f]{32})"(\}$|,"text":")/;

/** Rows are ours, in one form, and there may be a million; half a row opens nothing. */
function openingOf(row: string): Opening | undefined {
  const [, seq, member, salt, rest] = ROW.exec(row) ?? [];
  if (member === undefined || salt === undefined) return undefined;
  const opening = { seq: Number(seq), member, salt };
  if (rest === '}') return opening;
  try {
    return { ...opening, text: String((JSON.parse(row) as Opening).text) };
  } catch {
    return undefined;
  }
}

/** @param erasedUpTo of erasures that are on record, ISO 8601 */
export function lostFault(
  folder: string,
  { count, newest }: { readonly count: number; readonly newest: string },
  erasedUpTo: string,
): Fault | undefined {
  if (count === 0 || newest <= erasedUpTo) return undefined;
  const what = `${count === 1 ? '1 commitment' : `${count} commitments`} can’t be opened, or no longer by what was committed to, the newest of ${newest}, and no erasure of ${count === 1 ? 'it' : 'them'} is on record`;
  return { kind: 'unopenable', where: join(folder, OPENINGS), what };
}

function isCommitment(value: unknown): value is Commitment {
  return typeof value === 'object' && value !== null && 'hmac' in value && 'size' in value;
}
