import { posix } from 'node:path';
import type { Workspace } from '../../workspace/workspace.ts';
import { type Check, type Finding, lookedAtNothing } from '../check.ts';

const NAME = 'shown-by-tests';
/** Pages of points, each of which names its tests; on the others, tables whose header says so do. */
const PAGES_OF_POINTS = ['docs/security.md', 'docs/results.md'];
const PAGES = [...PAGES_OF_POINTS, 'docs/attacks.md', 'docs/runs.md', 'docs/simulator.md'];
const SAYS_SO = /\| (?:Shown by|Which test shows it) \|/;
/** A link to a test file; its title is that of a test in it. */
const TEST = /\]\((?<link>[^)\s]+\.(?:test|sim)\.ts)(?: "(?<title>[^"]*)")?\)/g;

/** Holds pages that promise to tests: a promise that nothing shows is no promise. */
export const shownByTests: Check = {
  name: NAME,
  proves: `each point of ${PAGES_OF_POINTS.join(' and ')}, and each row of tables of tests, names the tests that show it by their titles, and they are there`,
  run({ workspace }) {
    return PAGES.flatMap((page) => {
      const text = workspace.files.includes(page) ? workspace.read(page) : '';
      const points = PAGES_OF_POINTS.includes(page) ? pointsOf(text) : rowsOf(text);
      if (points.length === 0) return lookedAtNothing(NAME, `points in ${page}`);
      return points.flatMap((point) => faultsOf(point, page, workspace));
    });
  },
};

const pointsOf = (text: string) => text.split('\n').filter((line) => line.startsWith('- '));

/** Rows of the tables whose header has a cell for tests. */
function rowsOf(text: string): string[] {
  const tables = text
    .split(/\n(?!\|)/)
    .map((block) => block.split('\n').filter((line) => line.startsWith('| ')));
  return tables.flatMap(([header = '', _rule, ...rows]) => (SAYS_SO.test(header) ? rows : []));
}

function faultsOf(point: string, page: string, workspace: Workspace): Finding[] {
  const links = [...point.matchAll(TEST)].map(({ groups }) => ({ link: '', ...groups }));
  const whats =
    links.length === 0 ? ['names no test'] : links.flatMap((link) => faultOf(link, page, workspace) ?? []);
  const fix = 'link the test that shows it, with its title: [a.test.ts](../packages/a/src/a.test.ts "holds")';
  return whats.map((what) => ({ check: NAME, where: page, what: `"${point.slice(2, 60)}…" ${what}`, fix }));
}

function faultOf(
  { link, title }: { link: string; title?: string },
  page: string,
  workspace: Workspace,
): string | undefined {
  const file = posix.normalize(posix.join(posix.dirname(page), link));
  if (!workspace.files.includes(file)) return `names ${file}, which is not there`;
  if (title === undefined) return `names ${file} and no title of a test in it`;
  const text = workspace.read(file);
  // As an argument, or as a constant that is one.
  const isThere = ["'", '"', '`'].some((quote) =>
    [',', ';'].some((end) => isRun(text, `${quote}${title}${quote}${end}`)),
  );
  return isThere ? undefined : `names the test "${title}" of ${file}, which is not there`;
}

/** Whether it stands there other than as the title of a test that never runs. */
function isRun(text: string, argument: string): boolean {
  const before = text.split(argument).slice(0, -1);
  return before.some((each) => !/\.(?:skip|todo)\(\s*$/.test(each.slice(-40)));
}
