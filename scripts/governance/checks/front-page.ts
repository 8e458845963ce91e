import { type Check, type Finding, lookedAtNothing } from '../check.ts';

const NAME = 'front-page';
const README = 'README.md';
/** Where a reader begins: who uses Nexus, who changes it, and who does that by an agent. */
const FRONT_PAGES = [README, 'CONTRIBUTING.md', 'AGENTS.md'];
const PAGE = /^docs\/[^/]+\.md$/;

export const frontPage: Check = {
  name: NAME,
  proves: `${README} names each plugin, and each page of docs/ is linked where a reader begins`,
  run({ workspace, plugins }) {
    const textOf = (file: string) => (workspace.files.includes(file) ? workspace.read(file) : '');
    const pages = workspace.files.filter((file) => PAGE.test(file));
    if (pages.length === 0) return lookedAtNothing(NAME, 'pages of docs');
    const linked = new Set(FRONT_PAGES.flatMap((file) => linksOf(textOf(file))));
    const named = new Set(namedIn(textOf(README)));
    return [
      ...pages
        .filter((page) => !linked.has(page))
        .map(
          (page): Finding => ({
            check: NAME,
            where: page,
            what: 'is linked from no page that a reader begins with',
            fix: `link it in ${README}, or in ${FRONT_PAGES.slice(1).join(' or ')} where it is for whoever changes Nexus`,
          }),
        ),
      ...plugins
        .filter(({ name }) => !named.has(name))
        .map(
          ({ name }): Finding => ({
            check: NAME,
            where: README,
            what: `does not say what a host gets by the plugin ${name}`,
            fix: `add the row | ${name} | its tools |`,
          }),
        ),
    ];
  },
};

/** Files that a page links, without what they are entered at. */
function linksOf(page: string): string[] {
  return [...page.matchAll(/\]\(([^)#\s]+)/g)].flatMap(([, file]) => file ?? []);
}

/** Rows of the page's tables by their first cell: | name | … | */
function namedIn(page: string): string[] {
  return [...page.matchAll(/^\| ([a-z-]+) \| /gm)].flatMap(([, name]) => name ?? []);
}
