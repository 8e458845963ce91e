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

/** When something was tried, and by which Node.js. */
interface TriedOn {
  readonly date: string;
  readonly nodeVersion: string;
}

/** A host in the table. */
interface Column {
  readonly head: string;
  /** By the label of the row. */
  readonly texts: ReadonlyMap<string, string>;
}

const TRIED_ON = 'tried on';

/** Whether a host has Nexus's tools, and each thing was tried with it. */
export function isWhole({ cells }: Tried): boolean {
  const features = Object.keys(FEATURES) as Feature[];
  return cells.lists === 'yes' && features.every((key) => !cell(cells, key).startsWith(NOT_TRIED));
}

/** The page with these hosts' columns made anew; other hosts' stay, and all that people have written in it. */
export function withTable(page: string, tried: readonly Tried[], on: TriedOn): string {
  if (!page.includes(BEGIN) || !page.includes(END)) throw new Error(`the page has no ${BEGIN} and ${END}`);
  const [before, rest] = [page.slice(0, page.indexOf(BEGIN)), page.slice(page.indexOf(END))];
  const known = columnsIn(page.slice(before.length, page.indexOf(END)));
  const isOf = ({ name }: Tried, { head }: Column) => head === name || head.startsWith(`${name} `);
  const columns = [
    ...known.map((column) => {
      const again = tried.find((each) => isOf(each, column));
      return again ? columnOf(again, on) : column;
    }),
    ...tried.filter((each) => !known.some((column) => isOf(each, column))).map((each) => columnOf(each, on)),
  ];
  return `${before}${BEGIN}\n\n${table(columns)}\n\n${rest}`;
}

const LABELS = [...Object.values(FEATURES), TRIED_ON];

function table(columns: readonly Column[]): string {
  const rows = [
    ['', ...columns.map(({ head }) => head)],
    ['---', ...columns.map(() => '---')],
    ...LABELS.map((label) => [label, ...columns.map(({ texts }) => texts.get(label) ?? NOT_TRIED)]),
  ];
  return rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function columnsIn(table: string): Column[] {
  const lines = table.split('\n').filter((line) => line.startsWith('|'));
  const [heads = [], , ...rows] = lines.map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((text) => text.trim()),
  );
  return heads.slice(1).map((head, at) => ({
    head,
    texts: new Map(rows.map((row) => [row[0] ?? '', row[at + 1] ?? NOT_TRIED])),
  }));
}

function columnOf({ name, version, cells }: Tried, { date, nodeVersion }: TriedOn): Column {
  const features = Object.entries(FEATURES) as [Feature, string][];
  const texts = features.map(([key, label]): [string, string] => [label, cell(cells, key)]);
  return {
    head: `${name} ${version}`.trim(),
    texts: new Map([...texts, [TRIED_ON, `${date}, Node.js ${nodeVersion}`]]),
  };
}

function cell({ failed, ...cells }: Cells, key: Feature): string {
  const text = cells[key] ?? (failed === undefined ? NOT_TRIED : `${NOT_TRIED}: ${failed}`);
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
