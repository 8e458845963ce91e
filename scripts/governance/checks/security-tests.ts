import { posix } from 'node:path';
import type { Workspace } from '../../workspace/workspace.ts';
import { type Check, type Finding, lookedAtNothing } from '../check.ts';

const NAME = 'security-tests';
const PAGE = 'docs/security.md';
/** A link to a test file; its title is that of a test in it. */
const TEST = /\]\((?<link>[^)\s]+\.test\.ts)(?: "(?<title>[^"]*)")?\)/g;

/** Holds the page on security to tests: a promise that nothing shows is no promise. */
export const securityTests: Check = {
  name: NAME,
  proves: `each point of ${PAGE} names the tests that show it by their titles, and they are there`,
  run({ workspace }) {
    const text = workspace.files.includes(PAGE) ? workspace.read(PAGE) : '';
    const points = text.split('\n').filter((line) => line.startsWith('- '));
    if (points.length === 0) return lookedAtNothing(NAME, `points in ${PAGE}`);
    return points.flatMap((point) => faultsOf(point, workspace));
  },
};

function faultsOf(point: string, workspace: Workspace): Finding[] {
  const links = [...point.matchAll(TEST)].map(({ groups }) => ({ link: '', ...groups }));
  const whats =
    links.length === 0 ? ['names no test'] : links.flatMap((link) => faultOf(link, workspace) ?? []);
  const fix = 'link the test that shows it, with its title: [a.test.ts](../packages/a/src/a.test.ts "holds")';
  return whats.map((what) => ({ check: NAME, where: PAGE, what: `"${point.slice(2, 60)}…" ${what}`, fix }));
}

function faultOf(
  { link, title }: { link: string; title?: string },
  workspace: Workspace,
): string | undefined {
  const file = posix.normalize(posix.join(posix.dirname(PAGE), link));
  if (!workspace.files.includes(file)) return `names ${file}, which is not there`;
  if (title === undefined) return `names ${file} and no title of a test in it`;
  const text = workspace.read(file);
  const isThere = ["'", '"', '`'].some((quote) => text.includes(`${quote}${title}${quote},`));
  return isThere ? undefined : `names the test "${title}" of ${file}, which is not there`;
}
