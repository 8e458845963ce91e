import type { Log } from '@nexus/plugin-sdk';

/** One line of a log under test. */
export interface CollectedLine {
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>> | undefined;
}

/** A log, and what was written to it. */
export function collectLog(): { log: Log; lines: CollectedLine[] } {
  const lines: CollectedLine[] = [];
  const at = (level: string) => (message: string, fields?: Readonly<Record<string, unknown>>) => {
    lines.push({ level, message, fields });
  };
  return { lines, log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') } };
}
