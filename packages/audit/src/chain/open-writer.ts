import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type FileLock, LocksUnsupportedError, tryLockFile } from '@nexus/locks';
import { type AppendFile, openAppendFile } from './append-file.ts';
import { type AuditEvent, lineOf, NO_EVENT } from './event.ts';
import { CLOSED, LOCK, segmentName, WRITERS } from './places.ts';

/** A file of a chain is left for the next one past this size. */
const SEGMENT_BYTES = 16 * 1024 * 1024;
/** For a lock that is taken for a moment: together more than a second. */
const MAX_TRIES = 50;

/** The last event of a chain, and the first, by which one that was begun anew is told. */
export interface Head {
  readonly writer: string;
  readonly first: string;
  readonly seq: number;
  readonly hash: string;
}

/** One chain of events, which this process alone writes. */
export interface Writer {
  readonly id: string;
  readonly folder: string;
  readonly head: Head;
  /**
   * Writes one event; it is with the system when this returns, and a process that is killed then loses none.
   * @returns its number
   * @throws what the system says, such as ENOSPC; the chain is as it was then
   */
  append(event: AuditEvent): number;
  /** Ends the chain with an event that says so. */
  close(): void;
}

export interface WriterParts {
  /** The folder of the trail. */
  readonly trail: string;
  readonly project: string;
  /** Of its first event, which says who writes. */
  readonly begin: AuditEvent['data'];
  readonly segmentBytes?: number | undefined;
}

/** Begins a chain of its own for this process. */
export async function openWriter(parts: WriterParts): Promise<Writer> {
  const { trail, project, begin, segmentBytes = SEGMENT_BYTES } = parts;
  const id = crypto.randomUUID();
  const folder = join(trail, WRITERS, id);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = await lockOf(folder).catch((error: unknown) => {
    // Without locks nobody can tell that it ended, so nobody says so of it.
    if (error instanceof LocksUnsupportedError) return undefined;
    throw error;
  });
  let segments = 0;
  let isClosed = false;
  const open = new Set<number>();
  let file: AppendFile | undefined;
  let head = { writer: id, first: NO_EVENT, seq: -1, hash: NO_EVENT };

  function append({ kind, data }: AuditEvent): number {
    // Its file's number may be another file's by now.
    if (isClosed) throw new Error('the chain has ended');
    if (file && file.size >= segmentBytes) {
      file.close();
      file = undefined;
    }
    file ??= openAppendFile(join(folder, segmentName(++segments)));
    const seq = head.seq + 1;
    const at = new Date().toISOString();
    const { text, hash } = lineOf({ v: 1, writer: id, project, seq, at, prev: head.hash, kind, data });
    file.append(text);
    head = { writer: id, first: seq === 0 ? hash : head.first, seq, hash };
    if (kind === 'call.intent') open.add(seq);
    if (kind === 'call.outcome') open.delete(Number(data.intent));
    return seq;
  }

  try {
    append({ kind: 'writer.begin', data: begin });
  } catch (error) {
    file?.close();
    lock?.release();
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return {
    id,
    folder,
    get head() {
      return head;
    },
    append,
    close() {
      try {
        append({ kind: 'writer.end', data: open.size > 0 ? { open: [...open] } : {} });
        writeFileSync(join(folder, CLOSED), '', { mode: 0o600 });
      } finally {
        isClosed = true;
        file?.close();
        lock?.release();
      }
    },
  };
}

/** Nobody else takes it for long: whoever looks whether its writer lives has it for a moment. */
async function lockOf(folder: string): Promise<FileLock> {
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const lock = await tryLockFile(join(folder, LOCK));
    if (lock) return lock;
    await delay(tries);
  }
  throw new Error(`the lock of ${folder} is another’s`);
}
