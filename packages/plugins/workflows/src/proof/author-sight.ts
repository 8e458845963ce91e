import { gitExit } from '@nexus/git';
import type { ProveInput } from '@nexus/plugin-sdk';
import { cutEndCounted, cutMiddle } from '@nexus/primitives';
import { filesAt, namedFiles, type Sight } from './judge-sight.ts';
import { isTestFile } from './test-files.ts';

/** Lines on each side of a place. */
const NEAR_LINES = 20;
const NEAR_CHARS = 2_000;
const MAX_PLACES = 2;
const TEST_CHARS = 1_200;
/** A test in a language has its imports and its first case by then. */
const TEST_LINES = 30;

/**
 * What whoever writes a test begins with, as a commit has it: what stands around the places that the claim names, and how
 * the test file nearest to them begins. Of what is said to hold, none: much of that no test can show, and each
 * requirement has its own author.
 */
export async function authorSight(
  { claim, context = {}, kind }: Pick<ProveInput, 'claim' | 'context' | 'kind'>,
  {
    repository,
    at,
    signal,
  }: { readonly repository: string; readonly at: string; readonly signal: AbortSignal },
): Promise<Sight> {
  if (kind === 'holds') return {};
  const tree = { treeTop: repository };
  const there = await filesAt(tree, at, signal);
  const named = namedFiles([claim, ...Object.values(context)].join('\n'), there);
  const textOf = async (path: string) => {
    const { exitCode, output } = await gitExit(tree, ['show', `${at}:${path}`], {
      signal,
      allowExits: [128],
    });
    return exitCode === 0 ? output : '';
  };
  const places = named.filter(({ line }) => line !== undefined).slice(0, MAX_PLACES);
  const shown: [string, string][] = [];
  for (const { path, line = 1 } of places) {
    const first = Math.max(1, line - NEAR_LINES);
    const lines = (await textOf(path)).split('\n').slice(first - 1, line + NEAR_LINES);
    const numbered = lines.map((each, index) => `${first + index}\t${each}`).join('\n');
    shown.push([
      `${path} around line ${line}, each line after its number and a tab`,
      cutMiddle(numbered, NEAR_CHARS),
    ]);
  }
  const test = named[0] && nearestTest(named[0].path, there);
  if (test !== undefined) {
    const beginning = (await textOf(test)).split('\n').slice(0, TEST_LINES).join('\n');
    shown.push([`the beginning of the test file ${test}`, cutEndCounted(beginning, TEST_CHARS)]);
  }
  return Object.fromEntries(shown);
}

const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1);
const endOf = (path: string) => /\.[^./]{1,20}$/.exec(path)?.[0] ?? '';

/** Of the tests in the language of a file, the one that is called after it, else that lies nearest. */
function nearestTest(path: string, there: readonly string[]): string | undefined {
  const stem = baseName(path).slice(0, -endOf(path).length || undefined);
  const folders = path.split('/').slice(0, -1);
  const rank = (test: string) => {
    const shared = test.split('/').findIndex((part, index) => part !== folders[index]);
    return (baseName(test).includes(stem) ? 100 : 0) + shared;
  };
  const tests = there.filter((each) => isTestFile(each) && endOf(each) === endOf(path) && each !== path);
  return tests.reduce<string | undefined>(
    (best, each) => (best === undefined || rank(each) > rank(best) ? each : best),
    undefined,
  );
}
