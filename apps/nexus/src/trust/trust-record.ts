import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '@nexus/core';
import { isOwn } from '../config/ownership.ts';
import { stateDir } from '../config/places.ts';
import { hashOf, type Part } from './part.ts';

/** What the user has said of one config. */
export interface TrustRecord {
  /** By the part's name; the lines are those that were shown. */
  readonly trusted: Readonly<Record<string, { readonly hash: string; readonly lines: readonly string[] }>>;
  /** Of the parts that waited when the user said no, so that nobody is asked the same twice. */
  readonly declined?: string | undefined;
}

const NOTHING: TrustRecord = { trusted: {} };

/** @returns what the user has said of the config; nothing where the record can't be theirs */
export function readTrust(configFile: string): TrustRecord {
  const file = fileOf(configFile);
  try {
    if (!isOwn(file)) return NOTHING;
    const record: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isRecord(record) && isRecord(record.trusted) ? (record as unknown as TrustRecord) : NOTHING;
  } catch {
    // Not there, or half of it: then nothing was said, and the user is asked.
    return NOTHING;
  }
}

/** Remembers parts as trusted, beside those that are; of those only what is written still. */
export function trustParts(configFile: string, parts: readonly Part[], written: readonly Part[]): void {
  const names = new Set(written.map(({ name }) => name));
  const before = Object.entries(readTrust(configFile).trusted).filter(([name]) => names.has(name));
  const now = parts.map(({ name, hash, lines }) => [name, { hash, lines }] as const);
  write(configFile, { trusted: Object.fromEntries([...before, ...now]) });
}

export function declineParts(configFile: string, waiting: readonly Part[]): void {
  write(configFile, { ...readTrust(configFile), declined: declinedKey(waiting) });
}

/** Forgets everything that was said of the config. */
export function revokeTrust(configFile: string): void {
  rmSync(fileOf(configFile), { force: true });
}

/** What `declined` is of parts that wait. */
export function declinedKey(waiting: readonly Part[]): string {
  return hashOf(waiting.map(({ name, hash }) => [name, hash]));
}

/** Beside every project's state, and so outside of what a repository brings. */
function fileOf(configFile: string): string {
  const hash = createHash('sha256').update(realpathSync(configFile)).digest('hex').slice(0, 32);
  return join(stateDir(), 'trust', `${hash}.json`);
}

function write(configFile: string, record: TrustRecord): void {
  const file = fileOf(configFile);
  mkdirSync(join(stateDir(), 'trust'), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${randomBytes(4).toString('hex')}.tmp`;
  writeFileSync(temporary, JSON.stringify({ config: realpathSync(configFile), ...record }, null, 2), {
    flag: 'wx',
    mode: 0o600,
  });
  renameSync(temporary, file);
}
