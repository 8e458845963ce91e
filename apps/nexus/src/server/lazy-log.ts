import type { Log } from '@nexus/plugin-sdk';
import { LOG_LEVELS, type LogLevel } from '../log-level.ts';

const unwritten = new Set<Promise<void>>();

/**
 * A log whose writer is loaded by the first line it must write: a server that is well says nothing. It never fails: what
 * a failure of it would be told by is a line of the log.
 * @param file that gets its lines too; one that can't be told, as in a folder that is gone, gets none
 */
export function lazyLog(level: LogLevel, file: () => string | undefined = () => undefined): Log {
  let writer: Log | undefined;
  let loading: Promise<Log> | undefined;
  const load = async () => {
    const { createLog } = await import('../log.ts');
    writer = createLog(level, orNone(file));
    return writer;
  };
  const at = (name: keyof Log) => (message: string, fields?: Readonly<Record<string, unknown>>) => {
    if (LOG_LEVELS.indexOf(name) < LOG_LEVELS.indexOf(level)) return;
    if (writer) return writer[name](message, fields);
    loading ??= load();
    const written = loading.then((log) => log[name](message, fields)).catch(sayLost);
    unwritten.add(written);
    void written.then(() => unwritten.delete(written));
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

function orNone(file: () => string | undefined): string | undefined {
  try {
    return file();
  } catch {
    return undefined;
  }
}

/** The line itself may hold secrets, which what masks them was not loaded for. */
function sayLost(reason: unknown): void {
  process.stderr.write(`A line of the log could not be written: ${String(reason)}\n`);
}

/** Resolves when no line waits for its writer any more: to be awaited before the process is ended. */
export async function logsWritten(): Promise<void> {
  await Promise.all(unwritten);
}
