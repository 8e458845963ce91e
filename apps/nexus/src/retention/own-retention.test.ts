import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isSwept } from '@nexus/plugin-sdk';
import { expect, it } from 'vitest';
import { bundled } from '../boot/bundled.ts';
import { retentionOf } from './start-sweeps.ts';

const top = fileURLToPath(new URL('../../../../', import.meta.url));
const page = readFileSync(join(top, 'docs/retention.md'), 'utf8');
const stated = retentionOf(bundled);

const MAKES =
  /createTable\('(\w+)'\)|withSequence\(db, '(\w+)'|create (?:virtual )?table (?:if not exists )?(?:\$\{\w+\}\.)?(\w+)|const table = `\$\{pg\.escapeIdentifier\(schema\)\}\.(\w+)`/g;

/** Tables as the sources make them, whatever package they are of, each with the text of the file that does. */
function madeTables(): Map<string, string> {
  const sources = ['packages', 'packages/plugins', 'apps'].flatMap((folder) =>
    readdirSync(join(top, folder)).map((name) => join(top, folder, name, 'src')),
  );
  const files = sources
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
        .map((file) => join(folder, file)),
    );
  const made = files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    return [...text.matchAll(MAKES)].map((match) => [match.slice(1).find(Boolean) ?? '', text] as const);
  });
  return new Map(made.filter(([name]) => name.includes('_')));
}

it('every table that Nexus makes has a stated retention, and a row on the page', () => {
  const named = new Set(
    stated.flatMap((each) => [
      each.table,
      ...(isSwept(each) ? (each.parts ?? []).map(({ table }) => table) : []),
    ]),
  );
  const made = madeTables();
  expect([...made.keys()].filter((table) => !named.has(table))).toEqual([]);
  expect(made.size).toBeGreaterThan(25);
  expect([...named].filter((table) => !page.includes(`\`${table}\``))).toEqual([]);
});

it('goes by columns that the tables have', () => {
  const made = madeTables();
  const ages = stated.flatMap(({ table, age }) => (age === undefined ? [] : [[table, age] as const]));
  const lacking = ages.filter(([table, age]) => {
    const text = made.get(table);
    // Of a version before: made by none of the sources any more.
    return text !== undefined && !text.includes(`'${age}'`) && !text.includes(` ${age} `);
  });
  expect(ages.length).toBeGreaterThan(15);
  expect(lacking).toEqual([]);
});

it('the page says how long each is kept as the sweeper has it', () => {
  for (const each of stated) {
    if (!isSwept(each)) continue;
    const rows = page.split('\n').filter((line) => line.startsWith(`| \`${each.table}\` |`));
    const days = each.days === 0 ? 'at once' : `${each.days.toLocaleString('en').replace(',', ' ')} day`;
    expect([each.table, rows.some((row) => row.includes(days))]).toEqual([each.table, true]);
  }
});
