import { type Cells, FEATURES, type Feature } from './features.ts';

/** One host, and what came of all that was tried with it. */
export interface Tried {
  readonly name: string;
  readonly version: string;
  readonly cells: Cells;
}

const BEGIN = '<!-- written by pnpm test:hosts -->';
const END = '<!-- end of what it writes -->';
const NOT_TRIED = 'not tried';

/** When all of a table was tried, and by which Node.js. */
interface RunOfAll {
  readonly date: string;
  readonly nodeVersion: string;
}

/** Whether a host has Nexus's tools, and each thing was tried with it. */
export function isWhole({ cells }: Tried): boolean {
  const features = Object.keys(FEATURES) as Feature[];
  return cells.lists === 'yes' && features.every((key) => !cell(cells, key).startsWith(NOT_TRIED));
}

/** The page with its table made anew; all that people have written in it stays. */
export function withTable(page: string, tried: readonly Tried[], run: RunOfAll): string {
  const [before, rest] = [page.slice(0, page.indexOf(BEGIN)), page.slice(page.indexOf(END))];
  if (!page.includes(BEGIN) || !page.includes(END)) throw new Error(`the page has no ${BEGIN} and ${END}`);
  const when = `All of it in one run, on ${run.date}, with Node.js ${run.nodeVersion}.`;
  return `${before}${BEGIN}\n\n${table(tried)}\n\n${when}\n\n${rest}`;
}

function table(tried: readonly Tried[]): string {
  const heads = tried.map(({ name, version }) => `${name} ${version}`.trim());
  const features = Object.entries(FEATURES) as [Feature, string][];
  const rows = [
    ['', ...heads],
    ['---', ...heads.map(() => '---')],
    ...features.map(([key, label]) => [label, ...tried.map(({ cells }) => cell(cells, key))]),
  ];
  return rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function cell({ failed, ...cells }: Cells, key: Feature): string {
  const text = cells[key] ?? (failed === undefined ? NOT_TRIED : `${NOT_TRIED}: ${failed}`);
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
