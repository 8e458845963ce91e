import { readFile } from 'node:fs/promises';
import { ToolError } from '@nexus/plugin-sdk';
import { unreadableBelow } from './ignore-files.ts';

/** Most runs are over by then, and cost nothing more. */
const LOOK_EVERY_MS = 1_000;
/** What rg has no use for, whatever it searches; it reads files in pieces. */
const MAX_RESIDENT_BYTES = 1_024 * 1_024 * 1_024;
const PAGE_BYTES = 4_096;

export interface WatchedProcess {
  readonly pid: number;
  readonly cwd: string;
  /** Called at most once. */
  end(fault: ToolError): void;
}

/** Looks after an rg that is not done at once: what keeps it may be no search. Disposing ends the watch. */
export function watchProcess({ pid, cwd, end }: WatchedProcess): Disposable {
  const over = new AbortController();
  const finish = (fault: ToolError | undefined) => {
    if (!fault || over.signal.aborted) return;
    over.abort();
    clearInterval(timer);
    end(fault);
  };
  let hasLooked = false;
  const timer = setInterval(() => {
    void tooLarge(pid, cwd).then(finish);
    if (!hasLooked) void unreadableBelow(cwd, over.signal).then(finish);
    hasLooked = true;
  }, LOOK_EVERY_MS).unref();
  return {
    [Symbol.dispose]() {
      over.abort();
      clearInterval(timer);
    },
  };
}

/** Only Linux tells. */
async function tooLarge(pid: number, cwd: string): Promise<ToolError | undefined> {
  const told = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '');
  const resident = Number(told.split(' ')[1] ?? 0) * PAGE_BYTES;
  if (resident <= MAX_RESIDENT_BYTES) return undefined;
  const text = `ripgrep was ended in ${cwd}: it took more than ${MAX_RESIDENT_BYTES} bytes of memory. Look at the lists of ignored files there (.gitignore, .git/info/exclude), or search a smaller folder.`;
  return new ToolError('NEXUS_UNAVAILABLE', text);
}
