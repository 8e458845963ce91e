import { isToolError, namesIn, namesThere, type RunContext } from '@nexus/plugin-sdk';
import type { Place } from '../worktree/place.ts';
import { readText } from '../worktree/tools/read-file.ts';
import { treeGround } from '../worktree/tree-ground.ts';
import { openWorktree } from '../worktree/worktree.ts';

/** A file of the worktree as it stands; plain JSON. */
export interface ShownFile {
  readonly path: string;
  readonly text: string;
}

export const MAX_FILES = 4;
/** Of all together: what is more is read by whoever needs it, part by part. */
const MAX_CHARS = 60_000;
const MAX_TASK_CHARS = 400;
const MAX_SENTENCES = 2;

/**
 * The files that a task is about where it says so itself, in a sentence or two, and each is there: whoever plans it sees
 * them, and needs nobody to find them. None where it is any other task.
 */
export async function filesOfTask(
  task: string,
  run: RunContext,
  { place, looks }: { readonly place: Place; readonly looks: boolean },
): Promise<ShownFile[]> {
  const sentences = task.split(/[.?!](?:\s|$)/).filter((part) => part.trim() !== '');
  if (task.length > MAX_TASK_CHARS || task.trim().includes('\n') || sentences.length > MAX_SENTENCES)
    return [];
  const names = namesIn(task);
  const sure = names.filter(({ isBare }) => !isBare);
  const there = looks && sure.length < names.length ? await namedInTree(task, run, place) : sure;
  const paths = [...new Set(there.flatMap(({ kind, name, file = name }) => (kind === 'file' ? [file] : [])))];
  const files = await shownFiles(paths, run, { place, step: 'files of the task' });
  return files.length === paths.length ? files : [];
}

function namedInTree(task: string, run: RunContext, place: Place) {
  return run.step(
    'named',
    async ({ signal }) => {
      await openWorktree(place, { runId: run.id, runs: run.host.runs, signal });
      return namesThere(task, treeGround(place, signal));
    },
    { title: 'looks up what the task names' },
  );
}

/** Those of these that are there and can be shown, as they stand; none where they are more than a prompt holds well. */
export async function shownFiles(
  paths: readonly string[],
  run: RunContext,
  { place, step }: { readonly place: Place; readonly step: string },
): Promise<ShownFile[]> {
  if (paths.length === 0 || paths.length > MAX_FILES) return [];
  return run.step(
    step,
    async ({ signal }) => {
      await openWorktree(place, { runId: run.id, runs: run.host.runs, signal });
      const files: ShownFile[] = [];
      for (const path of paths) {
        const text = await readText(place.top, path).catch((error: unknown) => {
          if (isToolError(error)) return undefined;
          throw error;
        });
        if (text !== undefined) files.push({ path, text });
      }
      const total = files.reduce((all, { text }) => all + text.length, 0);
      return total > MAX_CHARS ? [] : files;
    },
    { title: 'reads what it is about' },
  );
}
