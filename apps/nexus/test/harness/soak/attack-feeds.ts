import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { McpClient } from './mcp-client.ts';

const FOLDER = 'hostile-feeds';
const many = (count: number, one: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => one(at)).join('');
const rss = (item: string) => `<rss version="2.0"><channel><title>x</title>${item}</channel></rss>`;

/** What a vendor publishes, as a copy in the project: XML, sitemaps and changelogs that are made to hold their reader. */
const PUBLICATIONS: readonly (readonly [kind: 'feed' | 'sitemap' | 'changelog', text: () => string])[] = [
  // 3.5 MB of attributes of one element, and of one name.
  ['feed', () => rss(`<item ${many(250_000, (at) => `a${at}="v" `)}><title>x</title></item>`)],
  ['feed', () => rss(`<item a="${'&amp;'.repeat(700_000)}"><title>x</title></item>`)],
  ['feed', () => rss(`${'<b>'.repeat(400_000)}x`)],
  ['feed', () => rss(many(60_000, (at) => `<item><guid>${at}</guid><title>x</title></item>`))],
  [
    'feed',
    () =>
      `<!DOCTYPE x [<!ENTITY a "${'x'.repeat(1_000)}">${many(9, (at) => `<!ENTITY ${'bcdefghij'[at]} "${`&${'abcdefghi'[at]};`.repeat(10)}">`)}]>${rss('<item><title>&j;</title></item>')}`,
  ],
  ['feed', () => rss(`<item><title><![CDATA[${']]'.repeat(1_500_000)}`)],
  ['feed', () => `${'['.repeat(3_000_000)}`],
  ['sitemap', () => `<urlset>${many(45_000, (at) => `<url><loc>https://x/${at}</loc></url>`)}</urlset>`],
  ['sitemap', () => `<urlset>${'<url><loc>'.repeat(300_000)}`],
  ['changelog', () => many(150_000, (at) => `## ${at}.0.0\n`)],
  ['changelog', () => `#${' '.repeat(3_000_000)}x`],
  ['changelog', () => `## [1.0.0](${'('.repeat(1_500_000)} - 2026`],
];

const nameOf = (at: number) => `${FOLDER}/publication-${at}.txt`;

/** Of the config: a vendor for each, so that one that is refused keeps none of the others from being read. */
export const hostileVendors = Object.fromEntries(
  PUBLICATIONS.map(([kind], at) => [`hostile-${at}`, { publishes: [{ kind, at: nameOf(at) }] }]),
);

/** Two files that are compared. */
const FILES: Readonly<Record<string, () => string>> = {
  'quotes.csv': () => `id,v\n1,"${'""'.repeat(1_500_000)}`,
  'columns.csv': () => `id,${many(100_000, (at) => `c${at},`)}\n1,x\n`,
  'rows.csv': () => `id\n${many(400_000, (at) => `${at % 7}\n`)}`,
  'deep.json': () => `[{"id":1,"v":${'['.repeat(900_000)}${']'.repeat(900_000)}}]`,
  'keys.json': () => `[{"id":1,${many(200_000, (at) => `"k${at}":${at},`)}"z":1}]`,
  'numbers.ndjson': () => `{"id":${'9'.repeat(2_000_000)}}\n`,
};
const PAIRS = Object.keys(FILES).map((name, at, all) => [name, all[(at + 1) % all.length] ?? name] as const);

/** A session that has read and compared what vendors, and whoever writes the project's files, publish. */
export async function attackByFeeds(client: McpClient, root: string, goesOn: () => boolean): Promise<void> {
  mkdirSync(join(root, FOLDER), { recursive: true });
  for (const [at, [, text]] of PUBLICATIONS.entries()) writeFileSync(join(root, nameOf(at)), text());
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(root, FOLDER, name), text());
  for (let turn = 0; goesOn(); turn += 1) {
    const vendor = `hostile-${turn % PUBLICATIONS.length}`;
    await client.call('vendor_publishing_audit', { vendor }, AbortSignal.timeout(10_000)).catch(() => {});
    const [one, other] = PAIRS[turn % PAIRS.length] ?? ['', ''];
    const paths = { feedAPath: `${FOLDER}/${one}`, feedBPath: `${FOLDER}/${other}` };
    const args = { ...paths, keyPath: 'id' };
    await client.call('compare_data_feeds', args, AbortSignal.timeout(10_000)).catch(() => {});
  }
}
