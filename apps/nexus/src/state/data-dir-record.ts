import { createHash, randomUUID } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { stateDir } from '../config/places.ts';
import { IN_DATA_DIR } from './made-names.ts';
import { ownFiles, pathIn } from './own-files.ts';
import { realOf } from './real-of.ts';

/** What is known of a data directory that somebody chose: others may write to it, so nothing in it is believed. */
export interface DataDirRecord {
  /** Its real path. */
  readonly dataDir: string;
  /** What bore a name of Nexus's before Nexus first used it, as paths in it. */
  readonly before: readonly string[];
}

/** Whether it may be others' too, as whatever is not, links followed, a project's folder in the state directory. */
export function isChosen(dataDir: string): boolean {
  const real = realOf(dataDir);
  const isUsual = dirname(real) === realOf(join(stateDir(), 'projects')) && /.-[0-9a-f]{8}$/.test(real);
  return !isUsual;
}

/** Puts a chosen data directory on record, before Nexus first writes to it. */
export function recordDataDir(dataDir: string): void {
  if (!isChosen(dataDir)) return;
  const file = recordFile(dataDir);
  if (existsSync(file)) return;
  try {
    const { own } = ownFiles({ folder: dataDir, names: IN_DATA_DIR, spared: [] });
    const before = own.map((path) => pathIn(dataDir, path));
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    putOnce(file, JSON.stringify({ dataDir: realOf(dataDir), before }));
  } catch {
    // Without a record, nothing in it is ever taken by its name.
  }
}

/** Whole or not at all. Whoever was quicker may have written to the data directory since, and has its record. */
function putOnce(file: string, text: string): void {
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, text, { mode: 0o600 });
  try {
    linkSync(draft, file);
  } finally {
    rmSync(draft);
  }
}

/** @returns undefined where this user's Nexus has not used it, or by an older version */
export function recordOf(dataDir: string): DataDirRecord | undefined {
  return readRecord(recordFolder(dataDir));
}

/** Those that are on record. */
export function chosenDataDirs(): string[] {
  const folder = recordsFolder();
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.flatMap((name) => readRecord(join(folder, name))?.dataDir ?? []);
}

export async function forgetDataDir(dataDir: string): Promise<void> {
  await rm(recordFolder(dataDir), { recursive: true, force: true, maxRetries: 5 });
  await rmdir(recordsFolder()).catch(() => {}); // others are in it
}

/** Where it is kept whose state lies in a data directory: outside of one that others may write to. */
export function keptOf(dataDir: string): string {
  return isChosen(dataDir) ? recordFolder(dataDir) : dataDir;
}

const recordsFolder = () => join(stateDir(), 'data-dirs');
const recordFolder = (dataDir: string) => join(recordsFolder(), nameOf(realOf(dataDir)));
const recordFile = (dataDir: string) => join(recordFolder(dataDir), FILE);
const nameOf = (real: string) => createHash('sha256').update(real).digest('hex').slice(0, 32);
const FILE = 'first-use.json';

function readRecord(folder: string): DataDirRecord | undefined {
  try {
    const record: DataDirRecord = JSON.parse(readFileSync(join(folder, FILE), 'utf8'));
    return nameOf(record.dataDir) === basename(folder) && Array.isArray(record.before) ? record : undefined;
  } catch {
    return undefined;
  }
}
