import type { Log } from '@nexus/plugin-sdk';
import { redactText, redactValue } from '@nexus/untrusted/secrets';
import { type DestinationStream, destination, pino } from 'pino';
import { logAppender } from './log-file.ts';
import type { LogLevel } from './log-level.ts';
import { logLine } from './terminal/log-line.ts';

/**
 * On stderr, written at once: stdout belongs to the protocol, and a crash loses no line. JSON, but for a person.
 * Secrets are masked.
 * @param file gets the same lines, since a host may keep stderr to itself
 */
export function createLog(level: LogLevel, file?: string): Log {
  const stderr = destination({ fd: 2, sync: true });
  const logger = pino(
    { level, base: { pid: process.pid }, timestamp: () => `,"time":"${new Date().toISOString()}"` },
    alsoTo(file, process.stderr.isTTY ? forPerson(stderr) : stderr),
  );
  const at = (name: keyof Log) => (message: string, fields?: Readonly<Record<string, unknown>>) => {
    if (logger.isLevelEnabled(name)) logger[name](redactValue(fields ?? {}), redactText(message));
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

function alsoTo(file: string | undefined, stream: DestinationStream): DestinationStream {
  if (file === undefined) return stream;
  const append = logAppender(file);
  return {
    write(json) {
      stream.write(json);
      append(json);
    },
  };
}

function forPerson(stderr: DestinationStream): DestinationStream {
  const hasColour = process.stderr.hasColors();
  return { write: (json) => stderr.write(`${logLine(JSON.parse(json), { hasColour })}\n`) };
}
