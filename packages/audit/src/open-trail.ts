import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { whileLocked } from '@nexus/locks';
import type { Log } from '@nexus/plugin-sdk';
import type { Anchor } from './anchors/anchor.ts';
import { closeDeadWriters } from './chain/close-dead.ts';
import { openWriter, type Writer } from './chain/open-writer.ts';
import { BEGIN_NOTE, OPENINGS } from './chain/places.ts';
import { signedBefore } from './checkpoint/kept-checkpoints.ts';
import { openKey } from './checkpoint/key.ts';
import { knowKey, knownKeysFile } from './checkpoint/known-keys.ts';
import { isKeyOf, nameOf, type Signer } from './checkpoint/signed-note.ts';
import { signStatement } from './checkpoint/statements.ts';
import { type TakenCheckpoint, takeCheckpoint } from './checkpoint/take-checkpoint.ts';
import { type Committed, commitTo } from './commit/commit-to.ts';
import type { Contents, Opening } from './commit/commitment.ts';

/** Another process that closes what dead ones left is left to it. */
const CLOSING_WAIT_MS = 2_000;

export interface TrailParts {
  /** A folder of the trail's own. */
  readonly trail: string;
  readonly project: string;
  /** Who writes: what the first event of this process's chain says of it. */
  readonly begin: Readonly<Record<string, unknown>>;
  readonly contents: Contents;
  /** How long the chain of a process that ended is kept. */
  readonly keepDays: number;
  /** The file of the key that signs checkpoints; made when the first is signed. */
  readonly keyFile: string;
  readonly anchors: readonly Anchor[];
  /** How often the heads are signed while events come in. */
  readonly checkpointEveryMs: number;
  readonly log: Log;
}

/** Event data, in which each of `texts` becomes a commitment to that member, or is left out. */
export interface TrailEvent {
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly texts?: Readonly<Record<string, unknown>> | undefined;
}

/** The same, as it is written. */
export interface CommittedEvent extends Omit<TrailEvent, 'texts'> {
  readonly texts?: Committed | undefined;
}

const NO_TEXTS: Committed = { commitments: {}, openings: [] };

/** This process's part in the audit trail of its project. */
export interface Trail {
  /** Begins this process's chain, which the first event does too. */
  open(): Promise<void>;
  /** What `append` takes of an event's texts: at once, or where they are large after turns of others. */
  commitTo(texts: NonNullable<TrailEvent['texts']>): Committed | Promise<Committed>;
  /**
   * Writes an event; the chain has to be open.
   * @returns its number
   * @throws what the system says, such as ENOSPC
   */
  append(event: CommittedEvent): number;
  readonly isOpen: boolean;
  /** Signs the heads of all writers and anchors that. */
  checkpoint(): Promise<TakenCheckpoint>;
  close(): Promise<void>;
}

export function openTrail(parts: TrailParts): Trail {
  const { trail, project, contents, keepDays, keyFile, anchors, log } = parts;
  let writer: Writer | undefined;
  let opening: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closing: Promise<unknown> = Promise.resolve();
  let running: Promise<unknown> = Promise.resolve();
  /** Half a row of openings may stand there since a disk was full: the next begins a line of its own. */
  let isTorn = false;
  let isKeyCompared = false;

  async function open(): Promise<void> {
    mkdirSync(trail, { recursive: true, mode: 0o700 });
    const opened = await openWriter({ trail, project, begin: parts.begin });
    const signer = signerOrNone();
    if (signer) introduce(opened, signer);
    writer = opened;
    closing = whileLocked(
      join(trail, 'closing.lock'),
      () => closeDeadWriters({ trail, project, own: opened, keepDays, signer }),
      CLOSING_WAIT_MS,
    ).catch((error: unknown) =>
      log.warn('what ended processes left of the audit trail is not closed', { err: error }),
    );
  }

  /** Before its second event: whoever finds a chain of more without this knows that it was made up. */
  function introduce({ id, folder, head }: Writer, signer: Signer): void {
    const note = signStatement(project, { about: 'begin', writer: id, first: head.first }, signer);
    writeFileSync(join(folder, BEGIN_NOTE), note, { mode: 0o600 });
  }

  /** @throws {Error} where the key can’t be read */
  function ownSigner(): Signer {
    const signer = openKey(keyFile, 'nexus');
    if (isKeyCompared) return signer;
    isKeyCompared = true;
    tellOtherKey(signer);
    try {
      knowKey(keyFile, signer);
    } catch (error) {
      log.warn('the key of the audit trail is not known from now on, where another takes its place', {
        file: knownKeysFile(keyFile),
        err: error,
      });
    }
    return signer;
  }

  function tellOtherKey(signer: Signer): void {
    const before = signedBefore(trail);
    if (before.length === 0 || before.some((each) => nameOf(each) === nameOf(signer))) return;
    const isKnown = before.some((each) => isKeyOf(signer, each));
    const what = isKnown
      ? 'the audit trail is signed from now on by another key than before: a verification knows both, and says which signed what'
      : 'the key of the audit trail is not the one that signed it before, and that one is not known here: verifications say key_replaced of what it signed, unless it is put back once, or its line is added to the file of known keys; else begin a new trail and keep this one as it is';
    // Also to who runs one command, and is told of errors alone.
    log.error(what, {
      ...{ file: keyFile, key: nameOf(signer), before: before.map(nameOf).join(', ') },
      ...(isKnown ? {} : { known: knownKeysFile(keyFile) }),
    });
  }

  function signerOrNone(): Signer | undefined {
    try {
      return ownSigner();
    } catch (error) {
      log.error(
        'nothing of the audit trail can be signed: what this process adds is told as unsigned from now on',
        {
          err: error,
        },
      );
      return undefined;
    }
  }

  function ownWriter(): Writer {
    if (!writer) throw new Error('the audit trail is not open');
    return writer;
  }

  function append({ kind, data, texts = NO_TEXTS }: CommittedEvent): number {
    const own = ownWriter();
    const { commitments, openings } = texts;
    // Before the event: a salt without one opens nothing, and an event without its salt can't be opened.
    const next = own.head.seq + 1;
    if (openings.length > 0) {
      const lines = openings.map((each) => `${JSON.stringify({ seq: next, ...each } satisfies Opening)}\n`);
      const text = `${isTorn ? '\n' : ''}${lines.join('')}`;
      isTorn = true;
      appendFileSync(join(own.folder, OPENINGS), text, { mode: 0o600 });
      isTorn = false;
    }
    const seq = own.append({ kind, data: { ...data, ...commitments } });
    // One timer from the first event that no checkpoint covers.
    timer ??= setTimeout(() => {
      timer = undefined;
      running = checkpoint().catch((error: unknown) =>
        log.warn('no checkpoint of the audit trail', { err: error }),
      );
    }, parts.checkpointEveryMs).unref();
    return seq;
  }

  async function checkpoint(): Promise<TakenCheckpoint> {
    const signer = ownSigner();
    const taken = await takeCheckpoint({ trail, project, writer: ownWriter(), signer, anchors });
    for (const { anchor, reason } of taken.failed) {
      log.warn('a checkpoint of the audit trail is not anchored', { anchor, reason });
    }
    return taken;
  }

  return {
    open: () => (opening ??= open()),
    commitTo: (texts) => commitTo(texts, contents),
    append,
    get isOpen() {
      return writer !== undefined;
    },
    checkpoint,
    async close() {
      await opening?.catch(() => undefined);
      if (!writer) return;
      clearTimeout(timer);
      await Promise.all([closing, running]);
      if (timer) await checkpoint().catch((error: unknown) => log.warn('no last checkpoint', { err: error }));
      const ended = writer;
      writer = undefined;
      ended.close();
    },
  };
}
