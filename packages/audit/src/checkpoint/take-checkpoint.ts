import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as pause } from 'node:timers/promises';
import { whileLocked } from '@nexus/locks';
import type { Anchor } from '../anchors/anchor.ts';
import { NO_EVENT, readLine } from '../chain/event.ts';
import type { Head, Writer } from '../chain/open-writer.ts';
import { beginNoteOf, segmentsOf, writersOf } from '../chain/places.ts';
import { linesOf } from '../chain/read-chain.ts';
import { type Heads, headsAfter, originOf, parseCheckpoint, signCheckpoint } from './checkpoint.ts';
import { keepCheckpoint, keptCheckpoints } from './kept-checkpoints.ts';
import type { Signer } from './signed-note.ts';
import { statementFault } from './statements.ts';

/** Longer than a checkpoint takes; who waited so long takes its own without the lock. */
const WAIT_MS = 5_000;
/** A line of ours is shorter. */
const TAIL_BYTES = 1 << 16;
/** Chains between two moments for whoever else has something to do: some ten milliseconds. */
const SLICE = 100;

export interface TakenCheckpoint {
  readonly number: number;
  readonly note: string;
  readonly writers: number;
  /** Where it is anchored now, and where it could not be. */
  readonly anchored: readonly string[];
  readonly failed: readonly { readonly anchor: string; readonly reason: string }[];
}

export interface CheckpointParts {
  readonly trail: string;
  readonly project: string;
  /** Its chain says that the checkpoint was taken, and where it is anchored. */
  readonly writer: Writer;
  readonly signer: Signer;
  readonly anchors: readonly Anchor[];
}

/** Signs the heads of all writers as they stand, keeps that, and anchors it where it is asked. */
export function takeCheckpoint(parts: CheckpointParts): Promise<TakenCheckpoint> {
  return whileLocked(join(parts.trail, 'checkpoints.lock'), () => take(parts), WAIT_MS);
}

async function take({ trail, project, writer, signer, anchors }: CheckpointParts): Promise<TakenCheckpoint> {
  // First, so that this checkpoint covers what is said of the others.
  for (const anchor of anchors) await bearWitness(anchor, { project, writer });
  const before = new Map<string, Head>();
  let prev = NO_EVENT;
  let number = 1;
  for (const kept of keptCheckpoints(trail)) {
    const checkpoint = parseCheckpoint(kept.note);
    for (const head of checkpoint.changed) before.set(head.writer, head);
    prev = checkpoint.hash;
    number = checkpoint.number + 1;
  }
  const changed = (await headsOf({ trail, project, signer }, before)).filter(
    ({ writer: id, hash }) => before.get(id)?.hash !== hash,
  );
  const heads = headsAfter(before, changed);
  const at = new Date().toISOString();
  const note = signCheckpoint({ origin: originOf(project), number, at, prev, changed }, heads, signer);
  keepCheckpoint(trail, number, note);
  const anchored: string[] = [];
  const failed: { anchor: string; reason: string }[] = [];
  for (const anchor of anchors) {
    try {
      await anchor.add({ note, verifier: signer.text }, number);
      anchored.push(anchor.name);
    } catch (error) {
      failed.push({ anchor: anchor.name, reason: (error as Error).message });
    }
  }
  const { hash } = parseCheckpoint(note);
  writer.append({ kind: 'checkpoint', data: { number, hash, key: signer.text, anchored } });
  return { number, note, writers: heads.size, anchored, failed };
}

/** Which checkpoints of other trails this process has told of, by where and whose. */
const told = new WeakMap<Writer, Map<string, string>>();

/** Puts on record what other trails have in a place where several meet; one that can't be read says nothing. */
async function bearWitness(
  { name, newest }: Anchor,
  { project, writer }: Pick<CheckpointParts, 'project' | 'writer'>,
): Promise<void> {
  const before = told.get(writer) ?? new Map<string, string>();
  told.set(writer, before);
  for (const { note } of (await newest?.().catch(() => [])) ?? []) {
    const seen = readableNote(note);
    if (!seen || seen.origin === originOf(project)) continue;
    const { origin, number, hash } = seen;
    if (before.get(`${name} ${origin}`) === hash) continue;
    before.set(`${name} ${origin}`, hash);
    writer.append({ kind: 'checkpoint.witnessed', data: { anchor: name, origin, number, hash } });
  }
}

function readableNote(note: string) {
  try {
    return parseCheckpoint(note);
  } catch {
    return undefined;
  }
}

/**
 * The last event of each writer that is whole in its file; of each, since nothing beside a chain tells for certain that it
 * has ended. None of a chain that nobody with the key began: a signature would make what somebody made up look like another's.
 */
async function headsOf(
  { trail, project, signer }: Pick<CheckpointParts, 'trail' | 'project' | 'signer'>,
  before: Heads,
): Promise<Head[]> {
  const heads: Head[] = [];
  for (const [index, { id, folder }] of writersOf(trail).entries()) {
    if (index % SLICE === SLICE - 1) await pause();
    const known = before.get(id);
    const segments = segmentsOf(folder);
    const last = segments.map(lastLine).findLast((line) => line !== undefined);
    const first = known?.first ?? (segments[0] === undefined ? undefined : firstLine(segments[0])?.hash);
    if (first === undefined || last === undefined) continue;
    const statement = { about: 'begin', writer: id, first } as const;
    const note = beginNoteOf(folder) ?? '';
    if (!known && statementFault(project, statement, { note, verifier: signer })) continue;
    heads.push({ writer: id, first, seq: last.seq, hash: last.hash });
  }
  return heads;
}

function firstLine(file: string) {
  for (const { text, isWhole } of linesOf(file)) return isWhole ? readable(text) : undefined;
  return undefined;
}

function lastLine(file: string) {
  const fd = openSync(file, 'r');
  try {
    const { size } = fstatSync(fd);
    const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
    readSync(fd, tail, 0, tail.length, size - tail.length);
    const end = tail.lastIndexOf('\n');
    if (end < 0) return undefined;
    const begin = tail.lastIndexOf('\n', end - 1) + 1;
    // It is longer than what was read of it.
    if (begin === 0 && size > tail.length) return longLastLine(file);
    return readable(tail.subarray(begin, end).toString('utf8'));
  } finally {
    closeSync(fd);
  }
}

function longLastLine(file: string) {
  let last: string | undefined;
  for (const { text, isWhole } of linesOf(file)) if (isWhole) last = text;
  return last === undefined ? undefined : readable(last);
}

function readable(text: string) {
  const line = readLine(text);
  return typeof line === 'string' ? undefined : line;
}
