import { link, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { childrenOf } from './processes.ts';
import { makeProject, type Project } from './project.ts';

const FILE_BYTES = 8 * 1024 * 1024;
const LINKS = 3000;

/** A call of `search_codebase` that keeps ripgrep busy for minutes in the project made for it. */
export const endlessSearch = {
  name: 'search_codebase',
  arguments: { query: String.raw`(\w+\s){5,9}[0-9]`, mode: 'regex' },
};

/** Gigabytes to search for 8 MB of disk: one file under many names. */
export async function makeEndlessProject(): Promise<Project> {
  const project = await makeProject({ slowPlugin: true, config: { code: { maxFileBytes: 2 * FILE_BYTES } } });
  const folder = project.path('big');
  await mkdir(folder);
  const first = join(folder, '0.txt');
  const line = 'some words that a search has to look at one by one\n';
  await writeFile(first, line.repeat(FILE_BYTES / line.length));
  for (let index = 1; index < LINKS; index += 1) await link(first, join(folder, `${index}.txt`));
  return project;
}

const patience = { timeout: 20_000, interval: 50 };

/** Until ripgrep runs as a child of the server's. */
export async function ripgrepRuns(serverPid: number): Promise<void> {
  await vi.waitFor(async () => expect(await childrenOf(serverPid, 'ripgrep')).not.toEqual([]), patience);
}

export async function ripgrepGone(serverPid: number): Promise<void> {
  await vi.waitFor(async () => expect(await childrenOf(serverPid, 'ripgrep')).toEqual([]), patience);
}
