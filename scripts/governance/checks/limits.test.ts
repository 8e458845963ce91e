// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code that is looked at
import { describe, expect, it } from 'vitest';
import { fixtureSubject } from '../fixture-subject.ts';
import { limitsPage } from '../pages/limits-page.ts';
import { limits } from './limits.ts';

const FILES = {
  'packages/core/src/told.ts': [
    'export const MAX_ROWS = 5_000;',
    'const MOST_KEPT = 3;',
    'throw new Error(`holds more than ${MAX_ROWS} rows of $' + '{name}; ask for fewer`);',
  ].join('\n'),
  'packages/core/src/told.test.ts': "toThrow('holds more than 5000 rows')",
  'governance/limits.json': { 'packages/core/src/told.ts': { MOST_KEPT: 'kept' } },
};
const subject = (changes: Record<string, string | object> = {}) =>
  fixtureSubject({ files: { ...FILES, ...changes } });
const check = (changes?: Record<string, string | object>) => limits.run(subject(changes));
const table = (names: object) => ({ 'governance/limits.json': { 'packages/core/src/told.ts': names } });

describe('limits', () => {
  it('finds nothing where each is told by a message that a test holds, or stands in the table', () => {
    expect(check()).toEqual([]);
  });

  it.each([
    [
      'one that no message names',
      { 'packages/core/src/new.ts': 'const MAX_NEW = 1;' },
      'MAX_NEW is named by no message',
    ],
    [
      'one whose message no test holds',
      { 'packages/core/src/told.test.ts': '' },
      'MAX_ROWS is told by a message that no test holds',
    ],
    [
      'one of the table that is not there',
      table({ MOST_KEPT: 'kept', GONE: 'kept' }),
      'has GONE of packages/core/src/told.ts, which is not there',
    ],
    [
      'one of the table that is told all the same',
      table({ MOST_KEPT: 'kept', MAX_ROWS: 'shown' }),
      'MAX_ROWS is told by a message that a test holds',
    ],
    ['a kind that there is not', table({ MOST_KEPT: 'silent' }), 'MOST_KEPT is "silent", which is no kind'],
    [
      'one that is only a part of what a message says',
      {
        'packages/core/src/cut.ts':
          'const MAX_CUT = 1;\nconst text = `holds more than $' + '{said.slice(0, MAX_CUT)}`;',
      },
      'MAX_CUT is named by no message',
    ],
  ])('finds %s', (_, changes, what) => {
    expect(check(changes)).toMatchObject([{ what }]);
  });

  it.each(['quiet', 'unproven'])('has no kind for what is %s: nothing is met without a word', (kind) => {
    expect(check(table({ MOST_KEPT: kind }))).toMatchObject([
      { what: `MOST_KEPT is "${kind}", which is no kind` },
    ]);
  });

  it('says that it looked at nothing where there are none', () => {
    expect(limits.run(fixtureSubject({ files: {} }))).toMatchObject([{ what: 'looked at no limits' }]);
  });
});

describe('docs/limits.md', () => {
  it('has each with how much it is, and what is said or becomes of what meets it', () => {
    const page = limitsPage(subject().workspace);
    expect(page).toContain('This page is for');
    expect(page).toContain(
      '| [core/told](../packages/core/src/told.ts) `MAX_ROWS` | `5_000` | holds more than 5_000 rows of ‹name›; ask for fewer |',
    );
    expect(page).toContain('## Kept');
    expect(page).toContain('| [core/told](../packages/core/src/told.ts) `MOST_KEPT` | `3` |');
  });
});
