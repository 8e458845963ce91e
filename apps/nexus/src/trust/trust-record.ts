import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '@nexus/core';
import { stableHash } from '@nexus/primitives';
import { isOwn } from '../config/ownership.ts';
import { stateDir } from '../config/places.ts';
import { CLAIM_NAME, type Part } from './part.ts';

/** By the part's name; the lines are those that were shown. */
export type TrustedParts = Readonly<
  Record<string, { readonly hash: string; readonly lines: readonly string[] }>
>;

/** What the user has said of one place: a config file or a repository. */
interface TrustRecord {
  readonly trusted: TrustedParts;
  /** Of the parts that waited when the user said no, so that nobody is asked the same twice. */
  readonly declined?: string | undefined;
}

const nothing = (): TrustRecord => ({ trusted: {} });

export function isTrusted(part: Part): boolean {
  return untrusted([part]).length === 0;
}

/** Those that the user has not trusted as they stand. */
export function untrusted(parts: readonly Part[]): Part[] {
  return byPlace(parts).flatMap(([place, each]) => {
    const { trusted } = read(place);
    return each.filter(({ name, hash }) => !Object.hasOwn(trusted, name) || trusted[name]?.hash !== hash);
  });
}

/** What the parts were when they were trusted last, to be shown beside what they are. */
export function trustedBefore(parts: readonly Part[]): TrustedParts {
  return Object.fromEntries(byPlace(parts).flatMap(([place]) => Object.entries(read(place).trusted)));
}

/**
 * Remembers parts as trusted, beside those that are: of a config's only what is written still, of a repository's all,
 * since each of its folders may be a project.
 */
export function trustParts(parts: readonly Part[], written: readonly Part[]): void {
  for (const [place, each] of byPlace(parts)) {
    const names = new Set(written.filter((part) => part.place === place).map(({ name }) => name));
    const before = Object.entries(read(place).trusted).filter(
      ([name]) => names.has(name) || name.startsWith(CLAIM_NAME),
    );
    const now = each.map(({ name, hash, lines }) => [name, { hash, lines }] as const);
    write(place, { trusted: Object.fromEntries([...before, ...now]) });
  }
}

/** Whether the user said no to just these. */
export function isDeclined(waiting: readonly Part[]): boolean {
  return byPlace(waiting).every(([place]) => read(place).declined === declinedKey(waiting));
}

export function declineParts(waiting: readonly Part[]): void {
  for (const [place] of byPlace(waiting)) write(place, { ...read(place), declined: declinedKey(waiting) });
}

/** Differs as soon as the user says something else of a place. */
export function recordStamp(place: string): string {
  const found = statSync(recordFile(place), { throwIfNoEntry: false });
  return found === undefined ? '' : `${found.ino}:${found.mtimeMs}`;
}

/** Forgets everything that was said of a place. */
export function revokeTrust(place: string): void {
  rmSync(recordFile(place), { force: true });
}

/** What tells parts that wait from others. */
export function declinedKey(waiting: readonly Part[]): string {
  return stableHash(waiting.map(({ name, hash }) => [name, hash]));
}

function byPlace(parts: readonly Part[]): [string, Part[]][] {
  const places = new Map<string, Part[]>();
  for (const part of parts) places.set(part.place, [...(places.get(part.place) ?? []), part]);
  return [...places];
}

/** @returns what the user has said of the place; nothing where the record can't be theirs */
function read(place: string): TrustRecord {
  const file = recordFile(place);
  try {
    if (!isOwn(file)) return nothing();
    const record: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isRecord(record) && isRecord(record.trusted) ? (record as unknown as TrustRecord) : nothing();
  } catch {
    // Not there, or half of it: then nothing was said, and the user is asked.
    return nothing();
  }
}

/** Where what was said of a place is kept: beside every project's state, and so outside of what a repository brings. */
export function recordFile(place: string): string {
  const hash = createHash('sha256').update(place).digest('hex').slice(0, 32);
  return join(stateDir(), 'trust', `${hash}.json`);
}

function write(place: string, record: TrustRecord): void {
  const file = recordFile(place);
  mkdirSync(join(stateDir(), 'trust'), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${randomBytes(4).toString('hex')}.tmp`;
  writeFileSync(temporary, JSON.stringify({ place, ...record }, null, 2), { flag: 'wx', mode: 0o600 });
  renameSync(temporary, file);
}
