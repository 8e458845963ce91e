import { posix } from 'node:path';
import { type Check, type Finding, lookedAtNothing } from '../check.ts';

const NAME = 'security-tests';
const PAGE = 'docs/security.md';
/** A link to a test, or its path from the repository's top in code marks. */
const TEST = /\]\(([^)\s]+\.test\.ts)\)|`([^`\s]+\/[^`\s]+\.test\.ts)`/g;

/** Holds the page on security to tests: a promise that nothing shows is no promise. */
export const securityTests: Check = {
  name: NAME,
  proves: `each point of ${PAGE} names the tests that show it, and they are there`,
  run({ workspace }) {
    const text = workspace.files.includes(PAGE) ? workspace.read(PAGE) : '';
    const points = text.split('\n').filter((line) => line.startsWith('- '));
    if (points.length === 0) return lookedAtNothing(NAME, `points in ${PAGE}`);
    return points.flatMap((point) => faultsOf(point, new Set(workspace.files)));
  },
};

function faultsOf(point: string, files: ReadonlySet<string>): Finding[] {
  const named = [...point.matchAll(TEST)].map(([, link, path]) =>
    link === undefined ? String(path) : posix.normalize(posix.join(posix.dirname(PAGE), link)),
  );
  const shown = `"${point.slice(2, 60)}…"`;
  if (named.length === 0) {
    return [{ check: NAME, where: PAGE, what: `${shown} names no test`, fix: 'link the test that shows it' }];
  }
  return named
    .filter((file) => !files.has(file))
    .map((file) => ({
      check: NAME,
      where: PAGE,
      what: `${shown} names ${file}, which is not there`,
      fix: 'name the test as it is called now, or write it',
    }));
}
