import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Log } from '@nexus/plugin-sdk';

/** Appends one row to a JSONL file. A full disk must not fail the call it is about, so it is logged. */
export function appendJsonLine(file: string, row: object, log: Log): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    appendFileSync(file, `${JSON.stringify(row)}\n`, { mode: 0o600 });
  } catch (error) {
    log.error('an event could not be recorded', { file, err: error });
  }
}
