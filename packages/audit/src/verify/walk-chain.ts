import { setImmediate as pause } from 'node:timers/promises';
import { type ChainLine, NO_EVENT, readLine } from '../chain/event.ts';
import { segmentsOf } from '../chain/places.ts';
import { linesOf } from '../chain/read-chain.ts';
import type { Fault, FaultKind } from './fault.ts';

/** Lines between two moments for whoever else has something to do: some ten milliseconds. */
const SLICE = 1_000;
/** Of one chain: what comes after so many is looked at no more. */
const MOST_FAULTS = 1_000;
/** So many hashes are kept, so that an event that comes twice is told from one that came in. */
const REMEMBERED = 4_096;

export interface Walked {
  readonly writer: string;
  readonly folder: string;
  readonly events: number;
  /** Of its first event; undefined where there is none. */
  readonly first: string | undefined;
  /** Of its last event that fits. */
  readonly last: { readonly seq: number; readonly hash: string } | undefined;
  /** The writer that its lines name, where that is not whose folder it is. */
  readonly named: string | undefined;
  readonly faults: readonly Fault[];
}

export interface WalkParts {
  readonly id: string;
  readonly folder: string;
  readonly project: string;
  /** Takes each event that fits into the chain. */
  seen(line: ChainLine, place: string): void;
}

/** Goes through one chain, and names what does not fit where. */
export async function walkChain({ id, folder, project, seen }: WalkParts): Promise<Walked> {
  const faults: Fault[] = [];
  const told = new Set<string>();
  /** Once a file, for what is wrong with a file as a whole. */
  const add = (kind: FaultKind, where: string, what: string, once?: string) => {
    if (once !== undefined && told.has(`${kind} ${once}`)) return;
    if (once !== undefined) told.add(`${kind} ${once}`);
    faults.push({ kind, where, what });
  };
  /** By number modulo {@link REMEMBERED}. */
  const recent: Exclude<Walked['last'], undefined>[] = [];
  const hashOf = (seq: number) => {
    const at = recent[seq % REMEMBERED];
    return at?.seq === seq ? at.hash : undefined;
  };
  const missing = new Map<number, string>();
  let next = 0;
  let prev: string | undefined = NO_EVENT;
  let first: string | undefined;
  let named: string | undefined;
  let last: Walked['last'];
  let events = 0;

  function take(line: ChainLine, place: string, file: string): void {
    const { seq, hash } = line;
    if (line.project !== project) {
      add('foreign', place, `the event is one of project "${line.project}"`, file);
    }
    // Only a beginning may stand without a note under the key, since its process may have been killed then.
    if (seq === 0 && line.kind !== 'writer.begin') {
      add('inserted', place, `a chain begins with writer.begin; this one begins with ${line.kind}`);
    }
    if (line.writer !== id) {
      named = line.writer;
      add('swapped', place, `the event is one of writer ${line.writer}`, file);
    }
    if (seq > next) {
      for (let each = next; each < seq && missing.size < REMEMBERED; each++) missing.set(each, place);
    } else if (seq < next) {
      if (missing.delete(seq)) add('reordered', place, `event ${seq} stands after event ${next - 1}`);
      else if (hashOf(seq) === hash) add('inserted', place, `event ${seq} stands here once more`);
      else if (hashOf(seq - 1) === line.prev) {
        add('inserted', place, `two events are number ${seq}: one was put in, or the chain was forked`);
        settle(line);
        seen(line, place);
      } else add('inserted', place, `event ${seq} does not belong here: the next is ${next}`);
      return;
    } else if (prev !== undefined && line.prev !== prev) {
      add('edited', place, `event ${seq} follows another event than the one that stands before it`);
    }
    settle(line);
    seen(line, place);
  }

  function settle({ seq, hash }: ChainLine): void {
    if (seq === 0) first = hash;
    next = seq + 1;
    prev = hash;
    last = { seq, hash };
    recent[seq % REMEMBERED] = last;
    events += 1;
  }

  const segments = segmentsOf(folder);
  for (const [index, file] of segments.entries()) {
    for (const { text, number, isWhole } of linesOf(file)) {
      if (number % SLICE === 0) await pause();
      if (faults.length >= MOST_FAULTS) break;
      const place = `${file}:${number}`;
      // Its writer was ended while it wrote: nobody was told that this is on record.
      if (!isWhole && index === segments.length - 1) break;
      const line = readLine(text);
      if (typeof line !== 'string') {
        take(line, place, file);
        continue;
      }
      add('edited', place, `${line}, where event ${next} should stand`);
      const claimed = claimedOf(text);
      next = (claimed?.seq ?? next) + 1;
      prev = claimed?.hash;
    }
  }
  for (const [from, to, place] of runsOf(missing)) {
    add('deleted', place, from === to ? `event ${from} is missing` : `events ${from} to ${to} are missing`);
  }
  return { writer: id, folder, events, first, last, named, faults };
}

/** What an edited line says of its place, so that one edit is one fault. */
function claimedOf(text: string): { readonly seq: number; readonly hash: string } | undefined {
  try {
    const { seq, hash } = JSON.parse(text) as Partial<ChainLine>;
    return Number.isSafeInteger(seq) && typeof hash === 'string' ? { seq: seq as number, hash } : undefined;
  } catch {
    return undefined;
  }
}

function runsOf(missing: ReadonlyMap<number, string>): [from: number, to: number, place: string][] {
  const runs: [number, number, string][] = [];
  for (const [seq, place] of missing) {
    const run = runs.at(-1);
    if (run && run[1] === seq - 1) run[1] = seq;
    else runs.push([seq, seq, place]);
  }
  return runs;
}
