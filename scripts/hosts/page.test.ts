import { expect, it } from 'vitest';
import { FEATURES } from './features.ts';
import { withTable } from './page.ts';

const PAGE =
  '# Hosts\n\nBefore.\n\n<!-- written by pnpm test:hosts -->\nold\n<!-- end of what it writes -->\n\nAfter.\n';

it('the table is put in the place of the old one, with a row for each thing tried and what could not be', () => {
  const page = withTable(PAGE, [
    { name: 'A', version: '1.2', cells: { lists: 'yes', picture: 'a|b', failed: 'no such file' } },
    { name: 'B', version: '', cells: { lists: 'could not be installed here' } },
  ]);
  expect(page).toMatch(/^# Hosts\n\nBefore\./);
  expect(page).toMatch(/After\.\n$/);
  expect(page).not.toContain('old');
  expect(page).toContain('|  | A 1.2 | B |');
  expect(page).toContain('| a picture | a\\|b | not tried |');
  expect(page).toContain('| a resource | not tried: no such file | not tried |');
  expect(page.match(/^\| [a-z]/gm)).toHaveLength(Object.keys(FEATURES).length);
  expect(withTable(page, [])).not.toContain('A 1.2');
});

it('a page without the place for it is not written over', () => {
  expect(() => withTable('# Hosts\n', [])).toThrow('has no');
});
