import { git, gitExit, PLAIN_DIFF } from '@nexus/git';
import type { Place } from './place.ts';

/** What begins the subject of a commit that holds work which is not done. */
const UNFINISHED = 'Unfinished: ';

interface Work {
  readonly title: string;
  readonly runId: string;
  readonly signal: AbortSignal;
}

/**
 * Puts what the worktree holds on its branch, so that it outlives the folder: in one commit for the piece of
 * work, written anew each time. Files that the repository ignores are not in it.
 */
export async function keepWork(place: Place, work: Work): Promise<void> {
  if (!(await stage(place, work))) return;
  await commit(place, { ...work, title: `${UNFINISHED}${work.title}` });
}

/**
 * Makes the piece of work a commit that is done.
 * @returns the commit; undefined where nothing was changed
 */
export async function commitWork(place: Place, work: Work): Promise<string | undefined> {
  const hasNew = await stage(place, work);
  const options = { signal: work.signal };
  const tree = { treeTop: place.path };
  if (!hasNew && !(await isUnfinished(place, work.signal))) {
    // Done before, by a process that died before it could say so; else there is nothing.
    const commitThere = await tip(place, options);
    const isDone = (await subjectOfTip(place, work.signal)) === titleLine(work.title);
    return isDone && commitThere !== place.base ? commitThere : undefined;
  }
  await commit(place, work);
  const { exitCode } = await gitExit(tree, ['diff', ...PLAIN_DIFF, '--quiet', 'HEAD~1', 'HEAD', '--'], {
    ...options,
    allowExits: [1],
  });
  if (exitCode === 1) return tip(place, options);
  await git(tree, ['reset', '--soft', 'HEAD~1', '--'], options); // what it changed, it changed back
  return undefined;
}

/** The worktree as the last commit has it, but for what the repository ignores. */
export async function tidy({ path }: Place, signal: AbortSignal): Promise<void> {
  await git({ treeTop: path }, ['reset', '--quiet', '--hard', 'HEAD', '--'], { signal });
  await git({ treeTop: path }, ['clean', '--quiet', '--force', '-d', '--'], { signal });
}

async function stage({ path }: Place, { signal }: Work): Promise<boolean> {
  const tree = { treeTop: path };
  await git(tree, ['add', '--all', '--'], { signal });
  const args = ['diff', ...PLAIN_DIFF, '--cached', '--quiet', 'HEAD', '--'];
  const { exitCode } = await gitExit(tree, args, { signal, allowExits: [1] });
  return exitCode === 1;
}

async function commit(place: Place, { title, runId, signal }: Work): Promise<void> {
  const again = (await isUnfinished(place, signal)) ? ['--amend'] : [];
  const message = `${titleLine(title)}\n\nNexus-Run: ${runId}`;
  const args = ['commit', '--quiet', '--allow-empty', ...again, '--message', message, '--'];
  await git({ treeTop: place.path }, args, { signal });
}

async function isUnfinished(place: Place, signal: AbortSignal): Promise<boolean> {
  if ((await tip(place, { signal })) === place.base) return false;
  return (await subjectOfTip(place, signal)).startsWith(UNFINISHED);
}

async function subjectOfTip({ path }: Place, signal: AbortSignal): Promise<string> {
  return (await git({ treeTop: path }, ['log', '-1', '--format=%s', 'HEAD', '--'], { signal })).trim();
}

async function tip({ path }: Place, options: { readonly signal: AbortSignal }): Promise<string> {
  return (await git({ treeTop: path }, ['rev-parse', '--verify', 'HEAD^{commit}'], options)).trim();
}

const MAX_TITLE_CHARS = 72;

function titleLine(title: string): string {
  return title.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE_CHARS).trim();
}
