import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readLine } from './event.ts';
import type { Writer } from './open-writer.ts';
import { CLOSED, isAlive, segmentsOf, writersOf } from './places.ts';
import { linesOf } from './read-chain.ts';

const DAY_MS = 86_400_000;

/** What became of the chains of processes that ended. */
export interface Closing {
  /** Chains whose processes ended without a word, and what they left is on record now. */
  readonly closed: number;
  readonly retired: number;
}

/**
 * Puts on record what other writers left that are dead: their last event, and the calls that they began and did not end.
 * Chains that ended longer ago than `keepDays` are taken away, and that is on record too.
 */
export async function closeDeadWriters(trail: string, own: Writer, keepDays: number): Promise<Closing> {
  let closed = 0;
  let retired = 0;
  for (const { id, folder } of writersOf(trail)) {
    if (id === own.id) continue;
    const endedAtMs = closedAtMs(folder);
    if (endedAtMs === undefined) {
      if (await isAlive(folder)) continue;
      const left = leftBy(folder);
      // Begun by somebody this moment, or in a way that was ended before its first event.
      if (!left) continue;
      own.append({ kind: 'writer.closed', data: { writer: id, ...left } });
      writeFileSync(join(folder, CLOSED), '', { mode: 0o600 });
      closed += 1;
    } else if (Date.now() - endedAtMs > keepDays * DAY_MS) {
      const left = leftBy(folder);
      own.append({
        kind: 'writer.retired',
        data: { writer: id, seq: left?.seq ?? -1, hash: left?.hash ?? '' },
      });
      rmSync(folder, { recursive: true });
      retired += 1;
    }
  }
  return { closed, retired };
}

function closedAtMs(folder: string): number | undefined {
  return statSync(join(folder, CLOSED), { throwIfNoEntry: false })?.mtimeMs;
}

function leftBy(folder: string) {
  const open = new Set<number>();
  let last: { seq: number; hash: string } | undefined;
  for (const file of segmentsOf(folder)) {
    for (const { text, isWhole } of linesOf(file)) {
      const line = isWhole ? readLine(text) : 'torn';
      if (typeof line === 'string') continue;
      if (line.kind === 'call.intent') open.add(line.seq);
      if (line.kind === 'call.outcome') open.delete(Number(line.data.intent));
      last = { seq: line.seq, hash: line.hash };
    }
  }
  return last && { ...last, open: [...open] };
}
