import { mkdirSync, readdirSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PluginUnderTest, startPlugin } from '@nexus/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompareAnswer } from '../compare/task.ts';
import feeds from '../index.ts';

let plugin: PluginUnderTest;
beforeAll(async () => {
  plugin = await startPlugin(feeds);
});
afterAll(() => plugin.stop());

const put = (name: string, text: string) => writeFileSync(join(plugin.host.projectRoot, name), text);

/** Compares two texts, by files of these names. */
async function compare(
  files: Readonly<Record<string, string>>,
  more: Readonly<Record<string, unknown>> = {},
): Promise<CompareAnswer> {
  for (const [name, text] of Object.entries(files)) put(name, text);
  const [feedAPath, feedBPath] = Object.keys(files);
  return plugin.answer('compare_data_feeds', { feedAPath, feedBPath, keyPath: 'id', ...more });
}

async function refusal(args: Readonly<Record<string, unknown>>): Promise<string> {
  const { isError, content } = await plugin.call('compare_data_feeds', args);
  expect(isError).toBe(true);
  return content.map(({ text }) => text).join('\n');
}

describe('compare_data_feeds', () => {
  it('says what was added, dropped and changed, field by field', async () => {
    const answer = await compare({
      'old.json': '[{"id":1,"price":10,"name":"a"},{"id":2,"price":20},{"id":3}]',
      'new.json': '[{"id":1,"price":11,"name":"a"},{"id":3},{"id":4}]',
    });
    expect(answer).toMatchObject({
      same: 1,
      changed: { count: 1, shown: [{ key: '1', fields: { price: { a: '10', b: '11' } } }] },
      onlyInA: { count: 1, shown: ['2'] },
      onlyInB: { count: 1, shown: ['4'] },
    });
  });

  it('shows page after page of each list: every item once, and always how many there are', async () => {
    const rows = (of: (id: number) => object | string) =>
      Array.from({ length: 25 }, (_, id) => of(id)).map((row) =>
        typeof row === 'string' ? row : JSON.stringify(row),
      );
    const files = {
      'a.ndjson': [
        ...rows((id) => ({ id, v: 1 })),
        ...rows((id) => ({ id: `a${id}` })),
        ...rows((id) => ({ id: `a${id}` })),
        ...rows(() => ({ v: 1 })),
        ...rows(() => 'no json'),
      ].join('\n'),
      'b.ndjson': [...rows((id) => ({ id, v: 2 })), ...rows((id) => ({ id: `b${id}` }))].join('\n'),
    };
    const pages: CompareAnswer[] = [];
    for (const offset of [0, 10, 20]) pages.push(await compare(files, { limit: 10, offset }));
    const lists: ((answer: CompareAnswer) => { count: number; shown: readonly unknown[] })[] = [
      ({ changed }) => changed,
      ({ onlyInA }) => onlyInA,
      ({ onlyInB }) => onlyInB,
      ({ a }) => a.doubled,
      ({ a }) => a.withoutKey,
      ({ a }) => a.unreadable,
    ];
    for (const list of lists) {
      expect(pages.map((page) => [list(page).shown.length, list(page).count])).toEqual([
        [10, 25],
        [10, 25],
        [5, 25],
      ]);
      expect(
        new Set(pages.flatMap((page) => list(page).shown.map((each) => JSON.stringify(each)))).size,
      ).toBe(25);
    }
  });

  it('begins a row that no answer holds, says what is left out, and passes over nothing', async () => {
    const little = await startPlugin(feeds, { maxResultChars: 1_600 });
    try {
      const long = 'so "it" goes on, '.repeat(60);
      const file = (name: string, rows: readonly object[]) =>
        writeFileSync(join(little.host.projectRoot, name), JSON.stringify(rows));
      const wide = (id: number, end: number) =>
        Object.fromEntries(
          Array.from({ length: 30 }, (_, at) => [`v${at}`, `${long}${end}`]).concat([['id', `${id}`]]),
        );
      file('a.json', [{ id: 1, v: `${long}1` }, wide(2, 1), { id: 'a' }]);
      file('b.json', [{ id: 1, v: `${long}3` }, wide(2, 2)]);
      const args = { feedAPath: 'a.json', feedBPath: 'b.json', keyPath: 'id' };
      type Fields = { v: { a: string; b: string } };
      type Page = CompareAnswer & { nextOffset?: number; leftOut?: string; whole?: string };
      const pages: Page[] = [];
      for (let offset: number | undefined = 0; offset !== undefined; offset = pages.at(-1)?.nextOffset) {
        const { content, structuredContent } = await little.call('compare_data_feeds', { ...args, offset });
        const said = [...content.map(({ text }) => text), JSON.stringify(structuredContent)].join('');
        expect(said.length).toBeLessThanOrEqual(1_600);
        pages.push(structuredContent as unknown as Page);
      }
      const [first, second] = pages;
      expect(pages.map(({ changed, leftOut }) => [changed.count, changed.shown.length, leftOut])).toEqual([
        [2, 1, undefined],
        [2, 0, 'changed'],
      ]);
      expect(first?.onlyInA).toEqual({ count: 1, shown: ['a'] });
      const [change] = (first?.changed.shown ?? []) as unknown as { fields: Fields; whole: string }[];
      const kept = async (uri = '') =>
        JSON.parse((await little.host.results.read(uri, {} as never))?.text ?? '');
      const all: { fields: Fields } = await kept(change?.whole);
      const [, begun = '', left] = /^(.*)… \((\d+) more characters\)$/s.exec(change?.fields.v.a ?? '') ?? [];
      expect([all.fields.v.a.startsWith(begun), begun.length + Number(left)]).toEqual([
        true,
        all.fields.v.a.length,
      ]);
      expect(Object.keys((await kept(second?.whole)).changed.fields)).toHaveLength(30);
    } finally {
      await little.stop();
    }
  });

  it('counts and shows rows without a key, and keys that stand there more than once', async () => {
    const { a } = await compare({
      'gaps.ndjson':
        '{"id":"x","v":1}\n{"v":2}\n{"id":""}\n{"id":null}\n{"id":"x","v":1}\n{"id":"y"}\n{"id":"y","v":2}\nno json\n',
      'none.ndjson': '',
    });
    expect(a).toMatchObject({
      format: 'ndjson',
      rows: 8,
      keys: 2,
      withoutKey: { count: 3, shown: [2, 3, 4] },
      unreadable: { count: 1, shown: [{ row: 8, why: 'is no JSON' }] },
    });
    expect(a.doubled.count).toBe(2);
    expect(a.doubled.shown).toEqual(
      expect.arrayContaining([
        { key: 'x', times: 2, differ: false },
        { key: 'y', times: 2, differ: true },
      ]),
    );
  });

  it('takes a CSV and a JSON of the same records as the same, with a list inside and a key below', async () => {
    const answer = await compare(
      {
        'offers.csv': '\uFEFFoffer.id;price;note\r\n7;1.5;"two\r\nlines; quoted"\r\n8;2;\r\n',
        'offers.json':
          '\uFEFF{"made":"now","offers":[{"offer":{"id":7},"price":1.5,"note":"two\\r\\nlines; quoted"},{"offer":{"id":8},"price":2,"note":null}]}',
      },
      { keyPath: 'offers[].offer.id', compareFields: ['price', 'note'] },
    );
    expect(answer).toMatchObject({ same: 2, changed: { count: 0 }, a: { keys: 2 }, b: { keys: 2 } });
  });

  it.each(['', '\n', '\r\n \n'])(
    'takes a single line for the list or the record that its key names (%j)',
    async (end) => {
      const list = { 'a.json': `{"items":[{"id":1},{"id":2}]}${end}`, 'b.json': `{"items":[{"id":1}]}` };
      expect(await compare(list, { keyPath: 'items[].id' })).toMatchObject({
        ...{ same: 1, a: { format: 'json', rows: 2 }, b: { format: 'json', rows: 1 } },
      });
      const record = { 'a.json': `{"id":1}${end}`, 'b.json': '{"id":1}\n{"id":2}\n' };
      expect(await compare(record, { keyPath: 'id' })).toMatchObject({
        same: 1,
        a: { format: 'ndjson', rows: 1 },
      });
      await expect(compare(list, { keyPath: 'id' })).rejects.toThrow('has no list at its top');
    },
  );

  const LARGE = [
    { id: '9007199254740992', v: '12345678901234567890', w: '{"x":[0.12345678901234567891]}' },
    { id: '9007199254740993', v: '1e400', w: '-12345678901234567890' },
  ];
  const OTHER = [
    { id: '9007199254740992', v: '12345678901234567891', w: '{"x":[0.12345678901234567892]}' },
    { id: '9007199254740993', v: '"1e400"', w: '-12345678901234567890.5' },
  ];
  const written = (rows: typeof LARGE) => rows.map(({ id, v, w }) => `{"id":${id},"v":${v},"w":${w}}`);
  const asJson = (rows: typeof LARGE) => `[${written(rows)}]`;
  const asLines = (rows: typeof LARGE) => written(rows).join('\r\n');

  it.each([
    ['large.json', 'other.json', asJson],
    ['large.ndjson', 'other.ndjson', asLines],
  ])('rounds no number of %s, neither in a key nor in a field', async (one, other, write) => {
    const { a, same, changed } = await compare({ [one]: write(LARGE), [other]: write(OTHER) });
    expect({ keys: a.keys, doubled: a.doubled.count, same }).toEqual({ keys: 2, doubled: 0, same: 0 });
    expect([...changed.shown].sort((x, y) => (x.key < y.key ? -1 : 1))).toEqual(
      LARGE.map(({ id, v, w }, at) => ({
        key: id,
        fields: { v: { a: v, b: OTHER[at]?.v }, w: { a: w, b: OTHER[at]?.w } },
      })),
    );
  });

  it('takes numbers as the same however they are written, where none is rounded', async () => {
    const answer = await compare({
      'spelled.ndjson':
        '{"id":1,"v":[1.50,1e3,100000000000000000000,0.30000000000000004,-0.0]}\n9007199254740993',
      'plain.json': '[{"id":1.0,"v":[1.5,1000,1e20,3.0000000000000004E-1,0]}]',
    });
    expect(answer).toMatchObject({ same: 1, changed: { count: 0 }, a: { withoutKey: { shown: [2] } } });
  });

  it('takes a large number of a CSV as that of a JSON with the same digits alone', async () => {
    const answer = await compare({
      'large.csv': 'id,v\n9007199254740993,12345678901234567890\n9007199254740995,12345678901234567890\n',
      'held.json':
        '[{"id":9007199254740993,"v":12345678901234567890},{"id":"9007199254740995","v":12345678901234567891}]',
    });
    expect(answer).toMatchObject({ same: 1, changed: { count: 1 }, onlyInA: { count: 0 } });
  });

  it('looks at the named fields alone, and says which of them nobody has', async () => {
    const answer = await compare(
      { 'one.json': '[{"id":1,"a":1,"b":1}]', 'two.json': '[{"id":1,"a":1,"b":2}]' },
      { compareFields: ['a', 'c'] },
    );
    expect(answer).toMatchObject({ same: 1, changed: { count: 0 }, fieldsNotFound: ['c'] });
  });

  it('counts a row of CSV with more or fewer cells than the header, and reads on', async () => {
    const { a } = await compare({ 'ragged.csv': 'id,v\n1,2\n2\n3,4,5\n4,6\n', 'empty.csv': 'id,v\n' });
    expect(a).toMatchObject({ rows: 4, keys: 2, unreadable: { count: 2 } });
  });

  it.each([
    ['cut.json', '[{"id":1},{"id":', 'ends in its middle'],
    ['broken.json', '[{"id":1} {"id":2}]', 'can’t be read as JSON'],
    ['object.json', '{"items":[{"id":1}]}', 'has no list at its top'],
    ['text.json', 'hello', 'is no JSON'],
    ['twice.csv', 'id,id\n1,2\n', 'two columns that are named "id"'],
    ['quote.csv', 'id,v\n1,"a\n', 'can’t be read as CSV'],
    ['huge-line.ndjson', `{"id":1,"v":"${'x'.repeat(1_100_000)}"}\n`, 'more than 1000000 characters'],
    ['huge-row.json', `[{"id":1,"v":"${'x'.repeat(1_200_000)}"}]`, 'more than 1000000 bytes'],
  ])('refuses %s and says why', async (name, text, why) => {
    put(name, text);
    put('good.json', '[]');
    expect(await refusal({ feedAPath: name, feedBPath: 'good.json', keyPath: 'id' })).toContain(why);
  });

  it('reads nothing outside the roots, through no link either, and nothing of the server’s own', async () => {
    const { projectRoot, dataDir } = plugin.host;
    put('here.json', '[]');
    symlinkSync('/etc/hostname', join(projectRoot, 'link.json'));
    writeFileSync(join(dataDir, 'own.json'), '[]');
    const of = (feedAPath: string) => refusal({ feedAPath, feedBPath: 'here.json', keyPath: 'id' });
    expect(await of('/etc/hostname')).toContain('outside the roots');
    expect(await of('link.json')).toContain('outside the roots');
    expect(await of(join(dataDir, 'own.json'))).toContain('outside the roots');
    expect(await of('nowhere.json')).toContain('no file nowhere.json');
  });

  it('refuses a file that is too large to compare, and says what to do', async () => {
    put('here.json', '[]');
    put('large.csv', 'id\n');
    truncateSync(join(plugin.host.projectRoot, 'large.csv'), 2 ** 31 + 1);
    expect(await refusal({ feedAPath: 'here.json', feedBPath: 'large.csv', keyPath: 'id' })).toContain(
      'large.csv has 2147483649 bytes; at most 2147483648 are compared. Split both files by their keys.',
    );
  });

  it('leaves nothing behind, and takes away what a server that died had left', async () => {
    const folder = join(plugin.host.dataDir, 'feeds');
    const dead = join(folder, 'compare-dead');
    mkdirSync(dead, { recursive: true });
    utimesSync(dead, 0, 0);
    await compare({ 'p.json': '[{"id":1}]', 'q.json': '[{"id":1}]' });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('finds what a comparison in memory finds, whatever the rows and the number of parts', async () => {
    const rows = fc.array(
      fc.record(
        { id: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.constant('')), v: fc.integer({ min: 0, max: 2 }) },
        { requiredKeys: [] },
      ),
      { maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(rows, rows, async (a, b) => {
        const lines = (list: readonly object[]) => list.map((row) => `${JSON.stringify(row)}\n`).join('');
        // Blanks after the rows make the files as large as those that are parted.
        const answer = await compare({
          'a.ndjson': lines(a) + `${' '.repeat(500_000)}\n`.repeat(8),
          'b.ndjson': lines(b),
        });
        const first = (list: readonly { id?: unknown; v?: number }[]) => {
          const known = new Map<string, string>();
          for (const { id, v } of list) {
            const key = String(id ?? '');
            if (key !== '' && !known.has(key)) known.set(key, String(v));
          }
          return known;
        };
        const [inA, inB] = [first(a), first(b)];
        const common = [...inA.keys()].filter((key) => inB.has(key));
        expect({
          keys: answer.a.keys,
          same: answer.same,
          changed: answer.changed.count,
          onlyInA: answer.onlyInA.count,
          onlyInB: answer.onlyInB.count,
        }).toEqual({
          keys: inA.size,
          same: common.filter((key) => inA.get(key) === inB.get(key)).length,
          changed: common.filter((key) => inA.get(key) !== inB.get(key)).length,
          onlyInA: inA.size - common.length,
          onlyInB: inB.size - common.length,
        });
      }),
      { numRuns: 25 },
    );
  });
});
