import type { Log } from '@nexus/plugin-sdk';
import { LOG_LEVELS, type LogLevel } from '../log-level.ts';

const unwritten = new Set<Promise<void>>();

/**
 * A log whose writer is loaded by the first line it must write: a server that is well says nothing.
 * @param file that gets its lines too
 */
export function lazyLog(level: LogLevel, file?: () => string): Log {
  let writer: Log | undefined;
  let loading: Promise<Log> | undefined;
  const load = async () => {
    const { createLog } = await import('../log.ts');
    writer = createLog(level, file?.());
    return writer;
  };
  const at = (name: keyof Log) => (message: string, fields?: Readonly<Record<string, unknown>>) => {
    if (LOG_LEVELS.indexOf(name) < LOG_LEVELS.indexOf(level)) return;
    if (writer) return writer[name](message, fields);
    loading ??= load();
    const written = loading.then((log) => log[name](message, fields));
    unwritten.add(written);
    void written.finally(() => unwritten.delete(written));
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** Resolves when no line waits for its writer any more: to be awaited before the process is ended. */
export async function logsWritten(): Promise<void> {
  await Promise.allSettled(unwritten);
}
