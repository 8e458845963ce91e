import type { Log } from '@nexus/plugin-sdk';
import { destination, pino } from 'pino';
import type { LogLevel } from './log-level.ts';

/** JSON lines on stderr, written at once: stdout belongs to the protocol, and a crash loses no line. */
export function createLog(level: LogLevel): Log {
  const logger = pino(
    { level, base: { pid: process.pid }, timestamp: () => `,"time":"${new Date().toISOString()}"` },
    destination({ fd: 2, sync: true }),
  );
  const at = (name: keyof Log) => (message: string, fields?: Readonly<Record<string, unknown>>) =>
    logger[name](fields ?? {}, message);
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
