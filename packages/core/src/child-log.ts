import type { Log } from '@nexus/plugin-sdk';

/** A log whose lines carry these fields beside their own. */
export function childLog(log: Log, own: Readonly<Record<string, unknown>>): Log {
  const at = (level: keyof Log) => (message: string, fields?: Readonly<Record<string, unknown>>) =>
    log[level](message, { ...own, ...fields });
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
