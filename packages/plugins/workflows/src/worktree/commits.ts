import { git, gitExit, PLAIN_DIFF } from '@nexus/git';
import type { Place } from './place.ts';

/** What begins the subject of a commit that holds work which is not done. */
const UNFINISHED = 'Unfinished: ';

interface Work {
  /** What the change does. */
  readonly title: string;
  /** Of how it came about; stands below. */
  readonly note?: string;
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
    const isDone = (await messageOfTip(place, work.signal)) === messageOf(work);
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

async function commit(place: Place, work: Work): Promise<void> {
  const { signal } = work;
  const again = (await isUnfinished(place, signal)) ? ['--amend'] : [];
  const args = ['commit', '--quiet', '--allow-empty', ...again, '--message', messageOf(work), '--'];
  await git({ treeTop: place.path }, args, { signal });
}

function messageOf({ title, note, runId }: Work): string {
  return [titleLine(title), ...(note === undefined ? [] : [note]), `Nexus-Run: ${runId}`].join('\n\n');
}

async function isUnfinished(place: Place, signal: AbortSignal): Promise<boolean> {
  if ((await tip(place, { signal })) === place.base) return false;
  return (await messageOfTip(place, signal)).startsWith(UNFINISHED);
}

async function messageOfTip({ path }: Place, signal: AbortSignal): Promise<string> {
  return (await git({ treeTop: path }, ['log', '-1', '--format=%B', 'HEAD', '--'], { signal })).trim();
}

async function tip({ path }: Place, options: { readonly signal: AbortSignal }): Promise<string> {
  return (await git({ treeTop: path }, ['rev-parse', '--verify', 'HEAD^{commit}'], options)).trim();
}

const MAX_TITLE_CHARS = 72;

function titleLine(title: string): string {
  const line = title.replace(/\s+/g, ' ').trim();
  if (line.length <= MAX_TITLE_CHARS) return line;
  const cut = line.slice(0, MAX_TITLE_CHARS - 1);
  const end = cut.lastIndexOf(' ');
  return `${(end > MAX_TITLE_CHARS / 2 ? cut.slice(0, end) : cut).trim()}…`;
}

/** What was asked for, as the title of a commit: its first line, without what marks it as a heading or an item. */
export function firstLineOf(asked: string): string {
  const line = asked.split('\n').find((each) => each.trim() !== '') ?? '';
  return line.trim().replace(/^[#>*-]{1,6} +/, '');
}
