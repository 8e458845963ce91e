import { statSync } from 'node:fs';
import { ToolError } from '@nexus/plugin-sdk';

/** How often an open database is looked for where nobody writes to it. */
const LOOK_MS = 2_000;
/** The database, its log and the memory that those who have it open share: one without the others is no database. */
const PARTS = ['', '-wal', '-shm'];

/** A database file that is open, and may be taken away meanwhile: what is written then nobody will ever read. */
export interface KeptFile {
  /** Why nothing is written any more; undefined while the file is where it was. */
  readonly lost: string | undefined;
  /** @throws {ToolError} NEXUS_STORE_UNAVAILABLE, for good, once it was taken away */
  assertThere(): void;
  close(): void;
}

/**
 * Watches a database file that was just opened, at each look for what it was at the first.
 * @param onLost called once, where it was removed or another put in its place
 */
export function keepFile(file: string, onLost: (reason: string) => void = () => {}): KeptFile {
  /** By part, from when it was first there: the log comes with the first use. */
  const first = new Map<string, string>();
  let lost: string | undefined;

  function look(): void {
    if (lost !== undefined) return;
    const gone = PARTS.find((part) => !isSame(part));
    if (gone === undefined) return;
    lost = `The database ${file} is lost: ${file}${gone} was removed, or another put in its place, while process ${process.pid} had it open. What is written to it nobody would ever read, so nothing is written any more. End that process (\`nexus stop\`) and restart its hosts: they begin with what is there then. To have back what was in it, put a backup there first.`;
    clearInterval(timer);
    onLost(lost);
  }

  function isSame(part: string): boolean {
    const now = identityOf(file + part);
    // Writing itself tells better what is wrong there.
    if (now === UNKNOWN) return true;
    const before = first.get(part);
    if (before === undefined && now !== undefined) first.set(part, now);
    return before === undefined || before === now;
  }

  const timer = setInterval(look, LOOK_MS).unref();
  look();
  return {
    get lost() {
      return lost;
    },
    assertThere() {
      look();
      if (lost !== undefined)
        throw new ToolError('NEXUS_STORE_UNAVAILABLE', lost, {
          detail: { wasWritten: false, isForGood: true },
        });
    },
    close: () => clearInterval(timer),
  };
}

/** What a path leads to; undefined for nothing, {@link UNKNOWN} where it can't be looked at, as on a disk that fails. */
function identityOf(path: string): string | undefined | typeof UNKNOWN {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found && `${found.dev}:${found.ino}`;
  } catch {
    return UNKNOWN;
  }
}

const UNKNOWN = Symbol('unknown');
