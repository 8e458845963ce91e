import { expect, it } from 'vitest';
import { FEATURES } from './features.ts';
import { isWhole, withTable } from './page.ts';

const PAGE =
  '# Hosts\n\nBefore.\n\n<!-- written by pnpm test:hosts -->\nold\n<!-- end of what it writes -->\n\nAfter.\n';

const ON = { date: '2026-11-26', nodeVersion: 'v20.20.2' };

it('the table is put in the place of the old one, with a row for each thing tried and what could not be', () => {
  const page = withTable(
    PAGE,
    [
      { name: 'A', version: '1.2', cells: { lists: 'yes', picture: 'a|b', failed: 'no such file' } },
      { name: 'B', version: '', cells: { lists: 'could not be installed here' } },
    ],
    ON,
  );
  expect(page).toMatch(/^# Hosts\n\nBefore\./);
  expect(page).toMatch(/After\.\n$/);
  expect(page).not.toContain('old');
  expect(page).toContain('|  | A 1.2 | B |');
  expect(page).toContain('| a picture | a\\|b | not tried |');
  expect(page).toContain('| a resource | not tried: no such file | not tried |');
  expect(page.match(/^\| [a-z]/gm)).toHaveLength(Object.keys(FEATURES).length + 1);
  expect(page).toContain('| tried on | 2026-11-26, Node.js v20.20.2 | 2026-11-26, Node.js v20.20.2 |');
  expect(withTable(page, [], ON)).toBe(page);
});

it('a host that is tried again has a new column, the others theirs as before', () => {
  const [a, b] = [
    { name: 'A', version: '1.2', cells: { lists: 'yes', picture: 'a|b' } },
    { name: 'Ab', version: '7', cells: { lists: 'no' } },
  ];
  const page = withTable(PAGE, [a, b], ON);
  const again = withTable(page, [{ ...b, version: '8', cells: { lists: 'yes' } }], {
    ...ON,
    date: '2026-12-01',
  });
  expect(again).toContain('|  | A 1.2 | Ab 8 |');
  expect(again).toContain('| a picture | a\\|b | not tried |');
  expect(again).toContain('| tried on | 2026-11-26, Node.js v20.20.2 | 2026-12-01, Node.js v20.20.2 |');
  expect(withTable(again, [{ name: 'C', version: '', cells: {} }], ON)).toContain('|  | A 1.2 | Ab 8 | C |');
});

it('a page without the place for it is not written over', () => {
  expect(() => withTable('# Hosts\n', [], ON)).toThrow('has no');
});

it('a host was tried whole where it has the tools and no cell is empty', () => {
  const cells = Object.fromEntries(Object.keys(FEATURES).map((key) => [key, 'yes']));
  expect(isWhole({ name: 'A', version: '1', cells })).toBe(true);
  expect(isWhole({ name: 'A', version: '1', cells: { ...cells, lists: 'no' } })).toBe(false);
  const { picture: _, ...rest } = cells;
  expect(isWhole({ name: 'A', version: '1', cells: rest })).toBe(false);
});
