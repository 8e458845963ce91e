import { NO_EVENT, sha256 } from '../chain/event.ts';
import type { Head } from '../chain/open-writer.ts';
import { parseNote, type SignedNote, type Signer, signNote } from './signed-note.ts';
import { treeRoot } from './tree-root.ts';

/**
 * The heads of all writers at one time, in the form of https://c2sp.org/tlog-checkpoint: the origin, how many leaves the
 * tree has, its root, and as extensions the leaves that are not as the checkpoint before had them. So whoever has all
 * checkpoints can make each tree, and the hash of the one before ties them together.
 */
export interface Checkpoint {
  /** `nexus/audit/<project>`, which no other trail has. */
  readonly origin: string;
  /** From 1 on, without a gap. */
  readonly number: number;
  /** ISO 8601. */
  readonly at: string;
  /** The SHA-256 of the checkpoint before, whole with its signature; zeros for the first. */
  readonly prev: string;
  /** How many writers there are by now, also those whose chains are no longer kept. */
  readonly size: number;
  /** Of RFC 6962's tree over the heads of all writers, by their names, as base64. */
  readonly root: string;
  /** The heads that the checkpoint before did not have. */
  readonly changed: readonly Head[];
}

/** The heads of all writers by name, as the checkpoints up to one of them have them. */
export type Heads = ReadonlyMap<string, Head>;

export function originOf(project: string): string {
  return `nexus/audit/${encodeURIComponent(project)}`;
}

/** The heads after a checkpoint, which has these changed. */
export function headsAfter(before: Heads, changed: readonly Head[]): Heads {
  return new Map([...before, ...changed.map((head) => [head.writer, head] as const)]);
}

export function rootOf(heads: Heads): string {
  const sorted = [...heads.values()].sort((one, other) => (one.writer < other.writer ? -1 : 1));
  return treeRoot(sorted.map(leafOf));
}

/** @param heads of all writers */
export function signCheckpoint(
  checkpoint: Omit<Checkpoint, 'size' | 'root'>,
  heads: Heads,
  signer: Signer,
): string {
  const { origin, number, at, prev, changed } = checkpoint;
  const lines = [
    origin,
    String(heads.size),
    rootOf(heads),
    `number ${number}`,
    `at ${at}`,
    `prev ${prev}`,
    ...changed.map(leafOf),
  ];
  return signNote(lines.map((line) => `${line}\n`).join(''), signer);
}

function leafOf({ writer, first, seq, hash }: Head): string {
  return `head ${writer} ${first} ${seq} ${hash}`;
}

export interface ReadCheckpoint extends Checkpoint {
  readonly note: SignedNote;
  /** Its SHA-256, whole, as hexadecimal digits. */
  readonly hash: string;
}

const EXTENSIONS = /^number (\d{1,15})\nat (\S{1,40})\nprev ([0-9a-f]{64})$/;
const LEAF = /^head (\S{1,100}) ([0-9a-f]{64}) (\d{1,15}) ([0-9a-f]{64})$/;

/**
 * Reads a checkpoint; its signature and its root are for who knows the key and the heads before.
 * @throws {Error} saying what it lacks
 */
export function parseCheckpoint(text: string): ReadCheckpoint {
  const note = parseNote(text);
  const [origin = '', size, root = '', ...rest] = note.text.slice(0, -1).split('\n');
  const extensions = EXTENSIONS.exec(rest.slice(0, 3).join('\n'));
  if (!extensions) throw new Error('it is no checkpoint of an audit trail');
  const [, number, at = '', prev = ''] = extensions;
  const changed = rest.slice(3).map((leaf) => {
    const [, writer = '', first = NO_EVENT, seq, hash = NO_EVENT] = LEAF.exec(leaf) ?? [];
    if (seq === undefined) throw new Error('it holds a line that is no head of a writer');
    return { writer, first, seq: Number(seq), hash };
  });
  return {
    origin,
    number: Number(number),
    at,
    prev,
    size: Number(size),
    root,
    changed,
    note,
    hash: sha256(text),
  };
}
