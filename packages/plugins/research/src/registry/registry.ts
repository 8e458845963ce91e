import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type FileLock, LocksUnsupportedError, tryLockFile } from '@nexus/locks';
import { ToolError } from '@nexus/plugin-sdk';
import { type Entry, type Kind, kinds } from './entries.ts';
import type { Folder } from './folder.ts';
import { type ListFile, openList } from './list-file.ts';

const LOOK_EVERY_MS = 20;
/** Somebody who edits by hand may save between a look and a write. */
const TRIES = 5;

export type Contents = { readonly [Of in Kind]: readonly Entry<Of>[] };
type Files<Of extends Kind> = { readonly [Each in Of]: ListFile<Each> };

/** What the project knows, in files of its own that people edit, too. */
export interface Registry {
  /** @throws {ToolError} NEXUS_FILE_UNREADABLE naming what is wrong, and where */
  read(): Promise<Contents>;
  /**
   * Changes files of these kinds while nobody else does, each written whole, in the order they are named: who is
   * killed between two leaves the first changed.
   * @throws {ToolError} as `read`; NEXUS_UNAVAILABLE where files can't be locked
   */
  change<Of extends Kind, Answer>(
    of: readonly Of[],
    signal: AbortSignal,
    edit: (files: Files<Of>) => Answer,
  ): Promise<Answer>;
}

export function createRegistry(folder: Folder): Registry {
  const nameOf = (kind: Kind) => `${kind}.yaml`;

  async function openFile<Of extends Kind>(kind: Of) {
    const text = (await folder.read(nameOf(kind))) ?? '';
    return { kind, text, list: openList(kind, text, nameOf(kind)) };
  }

  async function tryToChange<Of extends Kind, Answer>(
    of: readonly Of[],
    edit: (files: Files<Of>) => Answer,
  ): Promise<{ readonly answer: Answer } | undefined> {
    const opened = await Promise.all(of.map((kind) => openFile(kind)));
    const before = opened.map(({ list }) => list.toString());
    const files = Object.fromEntries(opened.map(({ kind, list }) => [kind, list]));
    // Each kind that was asked for, by its name.
    const answer = edit(files as Files<Of>);
    for (const [at, { kind, text, list }] of opened.entries()) {
      const after = list.toString();
      if (after === before[at]) continue;
      if (((await folder.read(nameOf(kind))) ?? '') !== text) return undefined;
      await folder.write(nameOf(kind), after);
    }
    return { answer };
  }

  return {
    async read() {
      const names = Object.keys(kinds) as Kind[];
      const opened = await Promise.all(names.map((kind) => openFile(kind)));
      return Object.fromEntries(opened.map(({ kind, list }) => [kind, list.entries])) as unknown as Contents;
    },
    async change(of, signal, edit) {
      await folder.make();
      const lock = await locked(join(folder.path, '.lock'), signal);
      try {
        await folder.sweep();
        for (let tries = 0; tries < TRIES; tries += 1) {
          const done = await tryToChange(of, edit);
          if (done) return done.answer;
        }
      } finally {
        lock.release();
      }
      throw new ToolError(
        'NEXUS_CONFLICT',
        `Somebody writes ${of.map(nameOf).join(' and ')} again and again. Nothing was changed; call again.`,
      );
    },
  };
}

/** Nobody writes unguarded: it waits as long as its call may. */
async function locked(path: string, signal: AbortSignal): Promise<FileLock> {
  for (;;) {
    signal.throwIfAborted();
    const lock = await tryLockFile(path).catch((error: unknown) => {
      if (!(error instanceof LocksUnsupportedError)) throw error;
      throw new ToolError('NEXUS_UNAVAILABLE', `The registry can’t be written safely: ${error.message}.`, {
        cause: error,
      });
    });
    if (lock) return lock;
    await pause(LOOK_EVERY_MS * (0.5 + Math.random()), undefined, { signal });
  }
}
