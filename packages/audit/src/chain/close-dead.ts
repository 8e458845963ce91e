import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as pause } from 'node:timers/promises';
import type { Signer } from '../checkpoint/signed-note.ts';
import { signStatement } from '../checkpoint/statements.ts';
import { type AuditEvent, readLine } from './event.ts';
import type { Writer } from './open-writer.ts';
import { CLOSED, isAlive, segmentsOf, writersOf } from './places.ts';
import { linesOf } from './read-chain.ts';

const DAY_MS = 86_400_000;
/** Lines between two moments for whoever else has something to do. */
const SLICE = 1_000;

/** What became of the chains of processes that ended. */
export interface Closing {
  /** Chains whose processes ended without a word, and what they left is on record now. */
  readonly closed: number;
  readonly retired: number;
}

export interface ClosingParts {
  readonly trail: string;
  readonly project: string;
  readonly own: Writer;
  readonly keepDays: number;
  readonly signer: Signer | undefined;
}

/**
 * Puts on record what other writers left that are dead: their last event, and the calls that they began and did not end.
 * Chains that ended longer ago than `keepDays` are taken away, and that is on record too, under the key: without it they
 * stay.
 */
export async function closeDeadWriters({
  trail,
  project,
  own,
  keepDays,
  signer,
}: ClosingParts): Promise<Closing> {
  let closed = 0;
  let retired = 0;
  for (const { id, folder } of writersOf(trail)) {
    if (id === own.id) continue;
    const endedAtMs = closedAtMs(folder);
    if (endedAtMs === undefined) {
      if (await isAlive(folder)) continue;
      const left = await leftBy(folder);
      // Begun by somebody this moment, or in a way that was ended before its first event.
      if (!left) continue;
      // It may have been begun after the first look and before its events were read.
      if (await isAlive(folder)) continue;
      const { seq, hash, open } = left;
      own.append({ kind: 'writer.closed', data: { writer: id, seq, hash, open } });
      writeFileSync(join(folder, CLOSED), '', { mode: 0o600 });
      closed += 1;
    } else if (signer && Date.now() - endedAtMs > keepDays * DAY_MS) {
      const left = await leftBy(folder);
      // The mark's time is anybody's; that of its last event is under its hash.
      if (left && Date.now() - Date.parse(left.at) <= keepDays * DAY_MS) continue;
      // What it told of those before it would be gone with it.
      for (const told of left?.retired ?? []) own.append({ kind: 'writer.retired', data: told });
      const { seq, hash } = left ?? { seq: -1, hash: '' };
      const note = signStatement(project, { about: 'retired', writer: id, seq, hash }, signer);
      own.append({ kind: 'writer.retired', data: { writer: id, seq, hash, note } });
      rmSync(folder, { recursive: true });
      retired += 1;
    }
  }
  return { closed, retired };
}

function closedAtMs(folder: string): number | undefined {
  return statSync(join(folder, CLOSED), { throwIfNoEntry: false })?.mtimeMs;
}

async function leftBy(folder: string) {
  const open = new Set<number>();
  const retired: AuditEvent['data'][] = [];
  let last: { seq: number; hash: string; at: string } | undefined;
  for (const file of segmentsOf(folder)) {
    for (const { text, number, isWhole } of linesOf(file)) {
      if (number % SLICE === 0) await pause();
      const line = isWhole ? readLine(text) : 'torn';
      if (typeof line === 'string') continue;
      if (line.kind === 'call.intent') open.add(line.seq);
      if (line.kind === 'call.outcome') open.delete(Number(line.data.intent));
      if (line.kind === 'writer.retired') retired.push(line.data);
      last = { seq: line.seq, hash: line.hash, at: line.at };
    }
  }
  return last && { ...last, open: [...open], retired };
}
