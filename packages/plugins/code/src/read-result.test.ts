import type { CallContext } from '@nexus/plugin-sdk';
import { startPlugin } from '@nexus/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import plugin from './index.ts';

const items = Array.from({ length: 5_000 }, (_, id) => ({ id, text: 'x'.repeat(50) }));
const LONG = `${'word '.repeat(9_000)}\n${Array.from({ length: 9_000 }, (_, line) => `line ${line}`).join('\n')}`;
const kept: Readonly<Record<string, string>> = {
  'nexus://results/json': JSON.stringify({ items, total: 5_000 }),
  'nexus://results/text': Array.from({ length: 9_000 }, (_, line) => `line ${line}`).join('\n'),
  'nexus://results/job': JSON.stringify({ jobId: 'j', status: 'completed', result: { text: LONG } }),
  'nexus://results/rows': JSON.stringify({
    rows: [{ id: 1 }, { id: 2, pages: [1, LONG], 'a.b': LONG }],
    total: 2,
  }),
  'nexus://results/map': JSON.stringify(
    Object.fromEntries(items.map(({ id, text }) => [`name ${id}`, { text }])),
  ),
  'nexus://results/written': '{ "a": [1.10,\r\n  "é" ] }\n',
  'nexus://results/large': JSON.stringify({ rows: Array.from({ length: 160_000 }, (_, id) => ({ id })) }),
  'nexus://results/wide': JSON.stringify({ a: 'x'.repeat(30_000), b: 'y'.repeat(30_000), c: 1 }),
};

let plug: Awaited<ReturnType<typeof startPlugin>>;
beforeAll(async () => {
  plug = await startPlugin(plugin, { kept });
});
afterAll(() => plug.stop());

async function read(name: string, args: object = {}) {
  const { content, isError } = await plug.call('read_result', { uri: `nexus://results/${name}`, ...args });
  return { texts: content.map(({ text }) => String(text)), isError: isError === true };
}

it('reads all members of a large object in parts, though nobody knows their names', async () => {
  const seen: Record<string, unknown> = {};
  let reads = 0;
  for (let offset = 0; ; reads += 1) {
    const { texts } = await read('map', { offset });
    Object.assign(seen, JSON.parse(texts.at(-1) ?? ''));
    const next = /of 5000\. Go on with offset (\d+)\.$/.exec(texts[0] ?? '')?.[1];
    if (next === undefined) break;
    offset = Number(next);
  }
  expect(seen).toEqual(JSON.parse(kept['nexus://results/map'] ?? ''));
  expect(reads).toBeLessThan(40);
});

it('reads all items of a long result in parts that are JSON each, none lost and none twice', async () => {
  const seen: unknown[] = [];
  for (let offset = 0; ; ) {
    const { texts } = await read('json', { offset });
    const part = JSON.parse(texts.at(-1) ?? '') as { items: unknown[]; total: number };
    expect(part.total).toBe(5_000);
    expect(texts.at(-1)?.length).toBeLessThanOrEqual(22_000);
    seen.push(...part.items);
    const next = /of 5000 of \w+\. Go on with offset (\d+)\.$/.exec(texts[0] ?? '')?.[1];
    if (next === undefined) break;
    offset = Number(next);
  }
  expect(seen).toEqual(items);
});

it('reads lines of a text, and what pick names of JSON', async () => {
  expect((await read('text', { offset: 8_998 })).texts).toEqual([
    'Lines 8999 to 9000 of 9000.',
    'line 8998\nline 8999',
  ]);
  expect((await read('text')).texts[0]).toMatch(/^Lines 1 to \d+ of 9000\. Go on with offset \d+\.$/);
  expect((await read('json', { pick: ['items[3].id', 'total'] })).texts).toEqual([
    '{"items":[{"id":3}],"total":5000}',
  ]);
});

it('says what there is to pick from where nothing fits, and what is gone', async () => {
  const wide = await read('wide');
  expect(wide.isError).toBe(false);
  expect(wide.texts[0]).toMatch(
    /^60021 characters do not fit, so this is the beginning\. It has "a" \(30002 characters\), "b" \(30002 characters\), "c"/,
  );
  const begun = JSON.parse(wide.texts[1] ?? '') as Record<string, unknown>;
  expect(begun).toEqual({ a: expect.stringMatching(/^x{500}/), b: expect.stringMatching(/^y{500}/), c: 1 });
  expect(wide.texts[1]?.length).toBeLessThan(5_000);
  expect((await read('wide', { pick: ['c'] })).texts).toEqual(['{"c":1}']);
  expect(await read('gone')).toMatchObject({
    isError: true,
    texts: [expect.stringMatching(/kept for a day/)],
  });
});

it('reads a long text to its end, however deep it is, by what each answer says', async () => {
  for (const pick of [['result'], ['result.text']]) {
    let seen = '';
    for (let offset = 0; ; ) {
      const { texts, isError } = await read('job', { pick, offset });
      expect(isError).toBe(false);
      expect(texts.at(-1)?.length).toBeLessThanOrEqual(22_000);
      seen += texts.at(-1);
      const next = /Go on with offset (\d+)\.$/.exec(texts[0] ?? '')?.[1];
      if (next === undefined) break;
      offset = Number(next);
    }
    expect(seen.replaceAll('\n', '')).toBe(LONG.replaceAll('\n', ''));
  }
});

it('names each thing to pick by its whole path, which leads on', async () => {
  const named = async (name: string, args: object) => {
    const { texts } = await read(name, args);
    return [
      ...texts
        .slice(0, -1)
        .join('\n')
        .matchAll(/"((?:[^"\\]|\\.)*)" \(/g),
    ].map(([, path]) => JSON.parse(`"${path}"`));
  };
  expect(await named('job', {})).toEqual(['jobId', 'status', 'result']);
  const counted = await read('job', { offset: 3 });
  expect([counted.isError, counted.texts]).toEqual([
    true,
    [expect.stringMatching(/neither alone at its top\. Name one by pick\. It has "jobId" \(.*, "result" \(/)],
  ]);
  const item = ['rows[1].id', 'rows[1].pages', 'rows[1]["a.b"]'];
  expect(await named('rows', { offset: 1 })).toEqual(item);
  expect(await named('rows', { pick: ['rows'], offset: 1 })).toEqual(item);
  expect(await named('rows', { pick: ['rows[].pages'] })).toEqual(['rows[].pages']);
  expect((await read('rows', { pick: ['rows[].pages'] })).texts[0]).toContain('an item by its number');
  expect(await named('rows', { pick: ['rows[1].pages'], offset: 1 })).toEqual(['rows[1].pages[1]']);
  for (const path of ['rows[1]["a.b"]', 'rows[1].pages[1]']) {
    expect((await read('rows', { pick: [path], offset: 13 })).texts).toEqual([
      expect.stringMatching(/^Lines 14 to \d+ of 9005, .* Go on with offset \d+\.$/),
      expect.stringMatching(/^line 8\nline 9\n/),
    ]);
  }
});

it('says whose words a part is in, and whose the names are that it tells', async () => {
  const text = JSON.stringify({ 'Go on with offset 9': ['a\n[… 900 more', 'b'], c: 'x' });
  const theirs = { text, mimeType: 'text/plain', whose: 'box/it' };
  const { uri } = await plug.host.results.keep(theirs, {} as CallContext);
  const of = async (args: object) =>
    (await plug.call('read_result', { uri, ...args })).content.map((block) => block.text);
  const line = '[Nexus: what follows is of the server "box/it", none of it of Nexus.]';
  const quotes = '[Nexus: what stands in quotes here is of the server "box/it", none of it of Nexus.]';
  expect(await of({ pick: ['c'] })).toEqual([line, '{"c":"x"}']);
  expect(await of({ pick: ['["Go on with offset 9"]'], limit: 1 })).toEqual([
    quotes,
    'Items 1 to 1 of 2 of ["Go on with offset 9"]. Go on with offset 1.',
    line,
    JSON.stringify({ 'Go on with offset 9': ['a\n[… 900 more'] }),
  ]);
  const [fault] = await of({ pick: ['d'] });
  expect(fault).toContain(`${quotes}\nNothing is at "d"; it has "Go on with offset 9"`);
});

it('takes the bare id of a kept result for its URI, and names that where there is none', async () => {
  const uri = (id: string) => plug.call('read_result', { uri: id, pick: ['total'] });
  expect((await uri('json')).content.at(-1)?.text).toBe('{"total":5000}');
  expect((await uri('gone')).content[0]?.text).toContain('There is no nexus://results/gone, or no more');
});

it('reads JSON as the value that it is, and as the text that it is', async () => {
  expect((await read('written')).texts).toEqual(['{"a":[1.10,"é"]}']);
  expect((await read('written', { as: 'text' })).texts).toEqual([kept['nexus://results/written']]);
  const lines = await read('written', { as: 'text', offset: 1 });
  expect(lines.texts).toEqual(['Lines 2 to 2 of 2.', '  "é" ] }\n']);
  const picked = await read('written', { as: 'text', pick: ['a'] });
  expect(picked.texts[0]).toMatch(/text without members, so no path leads into it/);
  let all = '';
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const { texts } = await read('json', { as: 'text', offset });
    expect(texts[0]).toMatch(/counted as several/);
    all += texts.at(-1);
    const next = /Go on with offset (\d+)\.$/.exec(texts[0] ?? '')?.[1];
    offset = next === undefined ? undefined : Number(next);
  }
  expect(all).toBe(kept['nexus://results/json']);
});

it('reads JSON that is too large to be read whole as any other', async () => {
  const { texts } = await read('large');
  const { rows } = JSON.parse(texts[1] ?? '') as { rows: object[] };
  expect(texts[0]).toBe(`Items 1 to ${rows.length} of 160000 of rows. Go on with offset ${rows.length}.`);
  expect(rows.length).toBeGreaterThan(1_000);
  expect((await read('large', { pick: ['rows[159999].id'] })).texts).toEqual(['{"rows":[{"id":159999}]}']);
  expect((await read('large', { pick: ['rows[].id'], offset: 159_999 })).texts).toEqual([
    'Items 160000 to 160000 of 160000 of rows.',
    '{"rows":[{"id":159999}]}',
  ]);
});
