import { git, PLAIN_DIFF } from '@nexus/git';
import type { Place } from '../worktree/place.ts';
import { isAssertion } from './asserts-something.ts';
import { isTestFile } from './test-files.ts';

/** What a change does to tests that were there; plain JSON. */
export interface TakenFromTests {
  /** Those that it changes or takes away, by path. */
  readonly changed: readonly string[];
  /** The lines that say what must be so and stand in none of them any more, each after its file. */
  readonly lines: readonly string[];
}

/** Of all that is committed on the branch of a place. */
export async function takenFromTests(place: Place, signal: AbortSignal): Promise<TakenFromTests> {
  const tree = { treeTop: place.path };
  const between = ['--no-renames', '--diff-filter=MDT', place.base, 'HEAD', '--'];
  const listed = await git(tree, ['diff', '--name-only', '-z', ...between], { signal });
  const changed = listed.split('\0').filter((path) => path !== '' && isTestFile(path));
  if (changed.length === 0) return { changed, lines: [] };
  const at = ['--literal-pathspecs', 'diff', ...PLAIN_DIFF, '--unified=0', ...between, ...changed];
  return { changed, lines: takenIn(await git(tree, at, { signal })) };
}

/** What is merely moved, or stands deeper, is there still. */
export function takenIn(diff: string): string[] {
  const taken: { readonly file: string; readonly line: string }[] = [];
  const added = new Set<string>();
  let file = '';
  for (const line of diff.split('\n')) {
    const [, named] = /^--- (?:"?a\/)?(.*?)"?\t?$/.exec(line) ?? [];
    if (named !== undefined) file = named;
    else if (line.startsWith('+') && !line.startsWith('+++')) added.add(line.slice(1).trim());
    else if (line.startsWith('-') && isAssertion(line.slice(1)))
      taken.push({ file, line: line.slice(1).trim() });
  }
  return taken.filter(({ line }) => !added.has(line)).map((each) => `${each.file}: ${each.line}`);
}
