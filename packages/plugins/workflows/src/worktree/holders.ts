import { existsSync, realpathSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isToolError, type Runs, ToolError } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { KEPT_MARK } from './kept-mark.ts';
import { type Place, worktreesIn } from './place.ts';

/** Which run works in a worktree: a file beside it, so that what a dead run left can be told and taken away. */
const Held = z.object({
  runId: z.string(),
  place: z.object({
    repository: z.string(),
    folder: z.string(),
    path: z.string(),
    top: z.string(),
    branch: z.string(),
    doneBranch: z.string(),
    base: z.string(),
  }),
});

type Held = z.output<typeof Held>;

const HELD_BY = '.held-by.json';
/** A worktree, and what lies beside it: another name in the folder is not Nexus's. */
const MADE_HERE = /^[0-9a-f]{8}(?:\.|$)/;
const ENDED = ['completed', 'failed', 'cancelled'];

/** @throws {ToolError} NEXUS_CONFLICT where another run holds it that has not ended */
export async function hold(
  place: Place,
  { runId, runs }: { readonly runId: string; readonly runs: Runs },
): Promise<void> {
  const { path } = place;
  const held = await holderOf(path);
  if (held?.runId === runId) return;
  if (held && !(await hasEnded(held.runId, runs))) {
    const text = `Run ${held.runId} works in this worktree already. Wait for it, or cancel it: \`nexus runs cancel ${held.runId}\`.`;
    throw new ToolError('NEXUS_CONFLICT', text, { detail: { runId: held.runId } });
  }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}${HELD_BY}.${process.pid}`;
  await writeFile(draft, JSON.stringify({ runId, place } satisfies Held));
  await rename(draft, `${path}${HELD_BY}`);
}

export function forgetHolder(path: string): Promise<void> {
  return rm(`${path}${HELD_BY}`, { force: true });
}

/** What ended runs left: worktrees that they hold, and paths beside those that nobody holds. */
export async function abandoned(
  dataDir: string,
  runs: Runs,
): Promise<{ readonly held: readonly Held[]; readonly paths: readonly string[] }> {
  const folder = worktreesIn(dataDir);
  const names = (await readdir(folder).catch(() => [])).filter((name) => MADE_HERE.test(name));
  const held: Held[] = [];
  const paths: string[] = [];
  for (const id of new Set(names.map((name) => name.split('.')[0] ?? name))) {
    if (names.includes(`${id}${KEPT_MARK}`)) continue;
    const holder = await holderOf(join(folder, id));
    if (!holder) {
      const nobodys = names.filter((name) => name.split('.')[0] === id).map((name) => join(folder, name));
      // What is young may be on its way to be held, by another process.
      for (const path of nobodys) if (await isOld(path)) paths.push(path);
    } else if (isHere(holder, join(folder, id)) && (await hasEnded(holder.runId, runs))) held.push(holder);
  }
  return { held, paths };
}

/** The file may be anybody's, where the data directory lies in what others write to: it names its own worktree alone. */
function isHere({ place }: Held, path: string): boolean {
  return isSameFolder(dirname(place.path), dirname(path)) && basename(place.path) === basename(path);
}

function isSameFolder(one: string, other: string): boolean {
  return existsSync(one) && realpathSync(one) === realpathSync(other);
}

const YOUNG_MS = 60_000;

async function isOld(path: string): Promise<boolean> {
  const { mtimeMs = 0 } = (await stat(path).catch(() => undefined)) ?? {};
  return Date.now() - mtimeMs > YOUNG_MS;
}

export async function holderOf(path: string): Promise<Held | undefined> {
  const text = await readFile(`${path}${HELD_BY}`, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  return Held.parse(JSON.parse(text)); // put there whole, by a rename
}

async function hasEnded(runId: string, runs: Runs): Promise<boolean> {
  try {
    return ENDED.includes((await runs.get(runId)).status);
  } catch (error) {
    if (isToolError(error) && error.code === 'NEXUS_NOT_FOUND') return true;
    throw error;
  }
}
