import type { Log } from '@nexus/plugin-sdk';
import { LOG_LEVELS, type LogLevel } from '../log-level.ts';

/** A log whose writer is loaded by the first line it must write: a bridge that is well says nothing. */
export function lazyLog(level: LogLevel): Log {
  let loading: Promise<Log> | undefined;
  const at = (name: keyof Log) => (message: string, fields?: Readonly<Record<string, unknown>>) => {
    if (LOG_LEVELS.indexOf(name) < LOG_LEVELS.indexOf(level)) return;
    loading ??= import('../log.ts').then(({ createLog }) => createLog(level));
    void loading.then((log) => log[name](message, fields));
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
