import { type Check, lookedAtNothing } from '../check.ts';
import { runtimeDependencies } from '../runtime-dependencies.ts';

const NAME = 'dependency-reasons';
const PAGE = 'docs/dependencies.md';
const MIN_REASON_CHARACTERS = 20;

export const dependencyReasons: Check = {
  name: NAME,
  proves: `${PAGE} says in a line why each runtime dependency is there, and lists no other`,
  run({ workspace }) {
    const users = runtimeDependencies(workspace);
    if (users.size === 0) return lookedAtNothing(NAME, 'runtime dependencies');
    const reasons = workspace.files.includes(PAGE) ? readReasons(workspace.read(PAGE)) : new Map();
    const missing = [...users]
      .filter(([name]) => (reasons.get(name) ?? '').length < MIN_REASON_CHARACTERS)
      .map(([name, folders]) => ({
        check: NAME,
        where: PAGE,
        what: `gives no reason for ${name}, which ${folders.join(', ')} needs`,
        fix: `add the line | \`${name}\` | why Nexus needs it |`,
      }));
    const stale = [...reasons.keys()]
      .filter((name) => !users.has(name))
      .map((name) => ({
        check: NAME,
        where: PAGE,
        what: `lists ${name}, which no package depends on`,
        fix: 'remove the line',
      }));
    return [...missing, ...stale];
  },
};

/** Rows of the page's tables: | `name` | reason | */
function readReasons(page: string): Map<string, string> {
  const rows = page.matchAll(/^\| `([^`]+)` +\| (.+?) +\|$/gm);
  return new Map([...rows].map((row) => [row[1] ?? '', row[2] ?? '']));
}
