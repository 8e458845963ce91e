import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isRecord } from '@nexus/core';
import type { ServerLock } from './drift/server-lock.ts';

/** @returns undefined where there is no file; @throws {Error} when it holds no lock */
export function readServerLock(file: string): ServerLock | undefined {
  if (!existsSync(file)) return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file} is no JSON (${(error as Error).message}); pin the server anew`, {
      cause: error,
    });
  }
  if (!isRecord(parsed) || !isRecord(parsed.tools)) {
    throw new Error(`${file} is not what \`nexus governance pin\` writes; pin the server anew`);
  }
  return parsed as unknown as ServerLock;
}

export function writeServerLock(file: string, lock: ServerLock): void {
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
}
