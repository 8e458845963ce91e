import { git, gitExit, PLAIN_DIFF } from '@nexus/git';
import { namesIn, type ProveInput } from '@nexus/plugin-sdk';
import { cutEndCounted, cutMiddle } from '@nexus/primitives';
import type { Place } from '../worktree/place.ts';
import type { Ran } from './ran.ts';
import { isTestFile } from './test-files.ts';

/** What whoever judges or writes a proof is shown, by what it is; plain JSON. */
export type Sight = Readonly<Record<string, string>>;

const MAX_FILES = 3;
const FILE_CHARS = 8_000;
/** Lines on each side of a place in a long file. */
const NEAR_LINES = 60;
const DIFF_CHARS = 10_000;
/** Lines on each side of what a break or a mend changes. */
const AROUND_LINES = 12;

/** The tests whole, the code that it is about, and what else was changed, as the branch of a place has them. */
export async function judgeSight(
  place: Place,
  { claim, context = {} }: Pick<ProveInput, 'claim' | 'context'>,
  { ran, signal }: { readonly ran: Ran; readonly signal: AbortSignal },
): Promise<Sight> {
  const tree = { treeTop: place.path };
  const cut = new Set<string>();
  const whole = async (at: string, files: readonly NamedFile[]) => {
    const texts = files.slice(0, MAX_FILES).map(async ({ path, line }) => {
      const args = ['show', `${at}:${path}`];
      const { exitCode, output } = await gitExit(tree, args, { signal, allowExits: [128] });
      if (exitCode === 0 && output.length > FILE_CHARS) cut.add(path);
      return `${path}\n${exitCode === 0 ? around(output, line) : '(it is not there)'}`;
    });
    return (await Promise.all(texts)).join('\n\n');
  };
  const there = await filesAt(tree, place.base, signal);
  const asFiles = (paths: readonly string[]) => paths.map((path) => ({ path }));
  const written = ran.tests;
  const isOld = (path: string) => isTestFile(path) && !written.includes(path) && isNamed(ran.output, path);
  const old = ran.byOld ? there.filter(isOld) : [];
  const named = namedFiles(`${claim}\n${Object.values(context).join('\n')}`, there);
  const about = named.filter(({ path }) => !ran.others.includes(path) && !written.includes(path));
  const writtenText = await whole('HEAD', asFiles(written));
  // Of a test that was there and is not shown whole, its new lines.
  const changed = [
    ...ran.others,
    ...(ran.taken?.changed ?? []),
    ...written.filter((path, at) => there.includes(path) && (cut.has(path) || at >= MAX_FILES)),
  ];
  const how = [...PLAIN_DIFF, '--no-renames', `--unified=${AROUND_LINES}`, place.base, 'HEAD', '--'];
  const args = ['--literal-pathspecs', 'diff', ...how, ...new Set(changed)];
  const diff = changed.length === 0 ? '' : await git(tree, args, { signal });
  return {
    ...(written.length > 0 && { 'the tests, whole': writtenText }),
    ...(old.length > 0 && { 'the tests that were there': await whole(place.base, asFiles(old)) }),
    ...(about.length > 0 && { 'the code that it is about': await whole(place.base, about) }),
    ...(diff !== '' && { 'what was changed': cutEndCounted(diff, DIFF_CHARS) }),
  };
}

/** The paths of all files that a commit has. */
export async function filesAt(
  tree: { readonly treeTop: string },
  at: string,
  signal: AbortSignal,
): Promise<string[]> {
  const listed = await git(tree, ['ls-tree', '-r', '--name-only', '-z', at], { signal });
  return listed.split('\0').filter(Boolean);
}

interface NamedFile {
  readonly path: string;
  readonly line?: number;
}

/** What stands around a line of a long text, else its beginning and its end. */
function around(text: string, line: number | undefined): string {
  if (text.length <= FILE_CHARS || line === undefined) return cutMiddle(text, FILE_CHARS);
  const lines = text.split('\n').slice(Math.max(0, line - 1 - NEAR_LINES), line + NEAR_LINES);
  return cutMiddle(lines.join('\n'), FILE_CHARS);
}

const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1);
const isNamed = (output: string, path: string) => output.includes(baseName(path));

/** Those of these files that a text names, in its order, each once. */
export function namedFiles(text: string, there: readonly string[]): NamedFile[] {
  const found = namesIn(text).flatMap(({ kind, name, line }) => {
    const end = `/${name.replace(/^\.\//, '')}`;
    const path = kind === 'file' ? there.find((each) => `/${each}`.endsWith(end)) : undefined;
    return path === undefined ? [] : [{ path, ...(line !== undefined && { line }) }];
  });
  return found.filter(({ path }, at) => found.findIndex((each) => each.path === path) === at);
}
