import { type CallContext, definePlugin, defineTool } from '@nexus/plugin-sdk';
import { startPlugin } from '@nexus/testing';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { startProject } from '../test/start-project.ts';
import plugin from './index.ts';

type Op = Readonly<Record<string, unknown>>;

interface Answer {
  readonly results: readonly {
    readonly result?: unknown;
    readonly leftOut?: string;
    readonly error?: { readonly message: string };
  }[];
}

function toolOf(name: string, answer: Op, also: object = {}) {
  return defineTool({
    name,
    title: 'Rows',
    description: 'Answers rows.',
    input: z.object({ table: z.string().optional() }),
    output: z.looseObject({}),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    budget: 'interactive',
    call: async () => answer,
    ...also,
  });
}

async function bundled(
  tools: readonly (ReturnType<typeof toolOf> | ReturnType<typeof pagesOf>)[],
  ops: readonly Op[],
  options: { readonly maxResultChars?: number } = {},
) {
  const running = await startPlugin(definePlugin({ ...plugin, tools: [...plugin.tools, ...tools] }), options);
  const { content, structuredContent } = await running.call('bundle', { ops });
  const { results } = structuredContent as unknown as Answer;
  const text = content[0]?.text ?? '';
  const sections = text.split(/^## \d+\. \w+\n/m).slice(1);
  const size = text.length + JSON.stringify(structuredContent).length;
  const wholeOf = async (leftOut = '') => {
    const [uri = ''] = /nexus:\/\/results\/[\w-]+/.exec(leftOut) ?? [];
    return (await running.host.results.read(uri, {} as CallContext))?.text;
  };
  const structure = structuredContent as { rest?: string; total?: number };
  return { results, sections, size, text, structure, wholeOf, [Symbol.asyncDispose]: () => running.stop() };
}

it('shares the room: what is small is whole, what is large has as many of its lines as fit, and goes on there', async () => {
  const file = `${'x'.repeat(99)}\n`.repeat(200);
  await using project = await startProject({ 'a.txt': file, 'b.txt': file, 'c.txt': 'short\n' });
  const ops = ['a.txt', 'b.txt', 'c.txt'].map((path) => ({ tool: 'read_file', path }));
  const { content, structuredContent } = await project.call('bundle', { ops });
  const { results } = structuredContent as unknown as Answer;
  expect(results.map(({ leftOut }) => leftOut !== undefined)).toEqual([true, true, false]);
  for (const { result, leftOut = '' } of results.slice(0, 2)) {
    expect(result).toMatch(
      /^[ab]\.txt: lines 1 to 200 of 200 lines\.\n1\tx{99}\n(?:\d+\tx{99}\n)+\d+\tx{99}$/,
    );
    const [, uri, offset] =
      /^\d+ of its \d+ characters do not fit beside the others: read_result reads all of it as (nexus:\S+), from here by offset (\d+); or call read_file alone\.$/.exec(
        leftOut,
      ) ?? [];
    const next = await project.call('read_result', { uri, offset: Number(offset), limit: 1 });
    expect(next.content[1]?.text).toBe(`${offset}\t${'x'.repeat(99)}\n`);
    expect(String(result).split('\n')).toHaveLength(Number(offset));
  }
  const text = content[0]?.text ?? '';
  expect(text).toContain('1\tshort');
  expect(text.length + JSON.stringify(structuredContent).length).toBeLessThanOrEqual(44_100);
  expect(text.length).toBeGreaterThan(20_000);
});

it('lets nothing small pay for what came before it, and gives a part of one long line', async () => {
  const said = `\u0001"😀`.repeat(8_000);
  const line = toolOf('line', { content: [{ type: 'text', text: said }] }, { answersWholeResult: true });
  const ops = ['line', 'line', 'few', 'line', 'few'].map((tool) => ({ tool }));
  await using answer = await bundled([line, toolOf('few', { n: 1 })], ops);
  expect(answer.results.map(({ leftOut }) => leftOut !== undefined)).toEqual([
    true,
    true,
    false,
    true,
    false,
  ]);
  expect(answer.results[2]?.result).toEqual({ n: 1 });
  for (const { result, leftOut } of answer.results.filter((each) => each.leftOut)) {
    expect(String(result).length).toBeGreaterThan(1_500);
    expect(String(result)).not.toMatch(/\p{Surrogate}/u);
    expect(await answer.wholeOf(leftOut)).toBe(said);
  }
  expect(answer.size).toBeLessThanOrEqual(44_100);
});

const rows = Array.from({ length: 900 }, (_, id) => ({ id, name: `row "${id}"`, text: 'so '.repeat(10) }));
const json = JSON.stringify({ rows, total: 900 });
const textTool = (name: string, text: string) =>
  toolOf(name, { content: [{ type: 'text', text }] }, { answersWholeResult: true });

it.each([
  ['a structure', toolOf('rows', { rows, total: 900 }), /^/],
  ['JSON as text', textTool('rows', json), /^/],
  ['JSON of many lines', textTool('rows', JSON.stringify({ rows, total: 900 }, null, 2)), /^/],
  ['JSON after a heading', textTool('rows', `The rows:\n${json}\nThat is all.`), /^The rows:\n/],
  ['fenced JSON', textTool('rows', `Found.\n\`\`\`json\n${json}\n\`\`\``), /^Found\.\n```json\n/],
  ['JSON behind a label', textTool('rows', `rows: ${json}`), /^rows: /],
])('never ends inside of %s: that is cut by its shape, and kept whole', async (_, tool, before) => {
  await using answer = await bundled([tool], [{ tool: 'rows' }, { tool: 'rows' }]);
  expect(answer.size).toBeLessThanOrEqual(44_500);
  for (const [at, section] of answer.sections.entries()) {
    const { result, leftOut } = answer.results[at] ?? {};
    const body = section.replace(/^\[… .*\n/, '').replace(/(?:\n\[… .*)+\n*$/, '');
    expect(body).toMatch(before);
    const shown = JSON.parse(body.replace(before, ''));
    expect([shown.total, shown.rows.length > 30]).toEqual([900, true]);
    expect(shown.rows).toEqual(rows.slice(0, shown.rows.length));
    expect(section).toContain(`it has here of rows ${shown.rows.length} of 900 …]`);
    const whole = await answer.wholeOf(leftOut);
    expect(whole).toContain('"row \\"899\\""');
    if (typeof result !== 'object') continue;
    const { rows: some } = result as { rows: typeof rows };
    expect(some).toEqual(rows.slice(0, some.length));
    expect(leftOut).toContain(`Its structure has here of rows ${some.length} of 900.`);
  }
});

it('says still what it lacks where it is cut', async () => {
  const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
  const long = { type: 'text', text: `${'x'.repeat(99)}\n`.repeat(400) };
  const tool = toolOf('page', { content: [long, image] }, { answersWholeResult: true });
  await using answer = await bundled([tool], [{ tool: 'page' }, { tool: 'page' }]);
  for (const [at, { leftOut }] of answer.results.entries()) {
    const lacks = 'or call page alone. Without image image/png, 3 bytes: call page directly.';
    expect(leftOut).toMatch(/do not fit beside the others: /);
    expect(leftOut).toContain(lacks);
    expect(answer.sections[at]).toContain(lacks);
  }
});

interface Paged {
  readonly rows: readonly { readonly id: number; readonly said: string }[];
  readonly nextOffset?: number;
}

const inWords = ({ rows: listed, nextOffset }: Paged) =>
  [`offset ${nextOffset} gives the next`, ...listed.map(({ id, said }) => `"id":${id} ${said}`)].join('\n');

/** A tool that lists its rows from an offset, a page that fits a whole answer; what it says besides is its own. */
function pagesOf(count: number, sizeOfRow: number, say?: (page: Paged) => string) {
  return defineTool({
    ...toolOf('paged', {}),
    input: z.object({ offset: z.int().default(0) }),
    ...(say && { text: (page: object) => say(page as Paged) }),
    call: async ({ offset }: { offset: number }) => {
      const listed = Array.from({ length: count }, (_, id) => ({ id, said: 'x'.repeat(sizeOfRow) }));
      const page = listed.slice(offset, offset + 9);
      const next = offset + page.length;
      return { rows: page, fixed: ['a', 'b'], total: count, ...(next < count ? { nextOffset: next } : {}) };
    },
  });
}

it.each([
  ['as JSON', 200, undefined],
  ['in words', 200, inWords],
  ['of items that do not fit', 3_000, undefined],
])(
  'loses no item of a list %s to whoever follows the nextOffset of an op',
  async (_, sizeOfRow, say) => {
    const tool = pagesOf(40, sizeOfRow, say);
    const other = textTool('page', 'so it goes\n'.repeat(300));
    for (const inline of [true, false]) {
      const seen = { text: new Set<number>(), structure: new Set<number>() };
      for (let offset: number | undefined = 0, pages = 0; offset !== undefined; pages++) {
        const op = inline
          ? { tool: 'paged', offset }
          : { tool: 'paged', arguments: { offset: String(offset) } };
        await using answer = await bundled([tool, other], [op, { tool: 'page' }], { maxResultChars: 5_000 });
        expect(answer.size).toBeLessThanOrEqual(5_000);
        const { result } = answer.results[0] as { result: { rows: { id: number }[]; nextOffset?: number } };
        for (const { id } of result.rows) seen.structure.add(id);
        for (const [, id] of answer.sections[0]?.matchAll(/"id":(\d+)/g) ?? []) seen.text.add(Number(id));
        const said = /"nextOffset":(\d+)/.exec(answer.sections[0] ?? '')?.[1];
        expect(said).toBe(result.nextOffset === undefined ? undefined : String(result.nextOffset));
        expect(answer.sections[0]).not.toMatch(/offset \d+ gives the next/);
        offset = result.nextOffset;
        expect(pages).toBeLessThan(41);
      }
      expect([seen.text.size, seen.structure.size]).toEqual([40, 40]);
    }
  },
  60_000,
);

it('gives of a part what has room, and the offset behind that', async () => {
  const listing = toolOf('rows', { rows, total: rows.length });
  const op = { tool: 'rows', arguments: { table: 'x' }, offset: 2 };
  for (const ops of [[op], [op, op, op]]) {
    await using answer = await bundled([listing], ops);
    for (const { result, leftOut } of answer.results) {
      const shown = (result as { rows: unknown[] }).rows;
      expect(shown).toEqual(rows.slice(2, 2 + shown.length));
      expect(leftOut).toBe(
        `Items 3 to ${2 + shown.length} of ${rows.length} of rows. Go on with offset ${2 + shown.length}.`,
      );
    }
  }
});

it('takes offset and limit of a result as use_tool does, where the tool has no such argument', async () => {
  const listing = toolOf('rows', { rows: rows.slice(0, 50), total: 50 });
  await using answer = await bundled(
    [listing, textTool('lines', 'a\nb\nc')],
    [
      { tool: 'rows', arguments: { table: 'x' }, pick: ['rows[].id'], offset: 2, limit: 2 },
      { tool: 'rows', offset: 48, pick: 'rows[].id' },
      { tool: 'lines', arguments: {}, limit: 1 },
      { tool: 'lines', offset: -1 },
      { tool: 'rows', arguments: { table: 'x' }, tabel: 'y', pick: null },
      { tool: 'rows', arguments: { table: 1 }, pick: ['rows['] },
    ],
  );
  const noted = 'Items 3 to 4 of 50 of rows. Go on with offset 4.';
  expect(answer.results).toEqual([
    { tool: 'rows', result: { rows: [{ id: 2 }, { id: 3 }] }, leftOut: noted },
    { tool: 'rows', result: { rows: [{ id: 48 }, { id: 49 }] }, leftOut: 'Items 49 to 50 of 50 of rows.' },
    { tool: 'lines', result: 'a\n', leftOut: 'Lines 1 to 1 of 3. Go on with offset 1.' },
    {
      tool: 'lines',
      error: expect.objectContaining({ message: expect.stringMatching(/can’t read offset/) }),
    },
    { tool: 'rows', error: expect.objectContaining({ message: expect.stringContaining('tabel') }) },
    { tool: 'rows', error: expect.objectContaining({ message: expect.stringMatching(/has a \[ without/) }) },
  ]);
  expect(answer.sections[0]).toBe(`${noted}\n{"rows":[{"id":2},{"id":3}]}\n\n`);
});

it.each([
  [5_000, 15],
  [1_000, 3],
])(
  'shows in %i characters the first of %i ops, and where those behind them are',
  async (maxResultChars, count) => {
    const said = 'so it goes\n'.repeat(300);
    const tool = { ...textTool('page', ''), call: async () => ({ content: [{ type: 'text', text: said }] }) };
    const ops = Array.from({ length: count }, () => ({ tool: 'page' }));
    await using answer = await bundled([tool], ops, { maxResultChars });
    expect(answer.size).toBeLessThanOrEqual(maxResultChars);
    const { length } = answer.results;
    expect(length).toBeLessThan(count);
    for (const { result } of answer.results)
      expect(String(result).length).toBeGreaterThan(maxResultChars / 100);
    const rest = JSON.parse((await answer.wholeOf(answer.structure.rest)) ?? '[]');
    expect(rest).toEqual(Array(count - length).fill({ tool: 'page', result: said, text: said }));
    expect(answer.structure).toMatchObject({ total: count, failed: 0 });
    expect(answer.text).toContain(
      `[… Ops ${length + 1} to ${count} of ${count} ran, and have no room here: read_result reads their results as ${answer.structure.rest}`,
    );
  },
);
