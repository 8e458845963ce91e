import { git, gitExit, PLAIN_DIFF } from '@nexus/git';
import { namesIn, type ProveInput } from '@nexus/plugin-sdk';
import { cutEnd, cutMiddle } from '@nexus/primitives';
import type { Place } from '../worktree/place.ts';
import type { Ran } from './ran.ts';
import { isTestFile } from './test-files.ts';

/** What whoever judges a proof is shown, by what it is; plain JSON. */
export type Sight = Readonly<Record<string, string>>;

const MAX_FILES = 3;
const FILE_CHARS = 6_000;
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
  const there = (await git(tree, ['ls-tree', '-r', '--name-only', '-z', 'HEAD'], { signal })).split('\0');
  const textOf = async (at: string, path: string) => {
    const { exitCode, output } = await gitExit(tree, ['show', `${at}:${path}`], {
      signal,
      allowExits: [128],
    });
    return exitCode === 0 ? output : '(it is not there)';
  };
  const whole = async (at: string, paths: readonly string[], cut: typeof cutEnd) => {
    const texts = paths.slice(0, MAX_FILES).map(async (path) => {
      const text = await textOf(at, path);
      return `${path}\n${cut(text, FILE_CHARS)}`;
    });
    return (await Promise.all(texts)).join('\n\n');
  };
  const old = ran.byOld ? there.filter((path) => isTestFile(path) && isNamed(ran.output, path)) : [];
  const written = ran.byOld ? [] : ran.tests;
  const named = namedFiles(`${claim}\n${Object.values(context).join('\n')}`, there);
  const about = named.filter((path) => !ran.others.includes(path) && !written.includes(path));
  const diffed = [...ran.others, ...(ran.taken?.changed ?? [])];
  const how = [
    ...PLAIN_DIFF,
    '--no-renames',
    `--unified=${AROUND_LINES}`,
    place.base,
    'HEAD',
    '--',
    ...diffed,
  ];
  const diff =
    diffed.length === 0 ? '' : await git(tree, ['--literal-pathspecs', 'diff', ...how], { signal });
  return {
    ...(written.length > 0 && { 'the tests, whole': await whole('HEAD', written, cutMiddle) }),
    ...(old.length > 0 && { 'the tests that were there': await whole(place.base, old, cutMiddle) }),
    ...(about.length > 0 && { 'the code that it is about': await whole(place.base, about, cutMiddle) }),
    ...(diff !== '' && { 'what was changed beside new tests': cutEnd(diff, DIFF_CHARS) }),
  };
}

const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1);
const isNamed = (output: string, path: string) => output.includes(baseName(path));

function namedFiles(text: string, there: readonly string[]): string[] {
  const names = namesIn(text).flatMap(({ kind, name }) =>
    kind === 'file' ? [name.replace(/^\.\//, '')] : [],
  );
  const found = names.flatMap(
    (name) => there.find((path) => path !== '' && `/${path}`.endsWith(`/${name}`)) ?? [],
  );
  return [...new Set(found)];
}
