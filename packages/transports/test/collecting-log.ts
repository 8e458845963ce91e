import type { Log } from '@nexus/plugin-sdk';

export interface CollectedLine {
  readonly level: keyof Log;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>> | undefined;
}

export function collectingLog(): { log: Log; lines: CollectedLine[] } {
  const lines: CollectedLine[] = [];
  const at = (level: keyof Log) => (message: string, fields?: Readonly<Record<string, unknown>>) => {
    lines.push({ level, message, fields });
  };
  return { lines, log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') } };
}
