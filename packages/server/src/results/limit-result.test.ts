import type { ReadableText, ToolCallResult } from '@nexus/plugin-sdk';
import { attributionTo, UNKEPT } from '@nexus/primitives';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limitResult, type ResultLimit } from './limit-result.ts';
import { besideText } from './shown-blocks.ts';

function limited(result: object, { uri, ...also }: Partial<ResultLimit> & { readonly uri?: string } = {}) {
  const kept: string[] = [];
  const authors = new Set<string | undefined>();
  const keep = (whole: ReadableText) => {
    kept.push(whole.text);
    authors.add(whole.whose);
    return { uri: uri ?? `nexus://results/${kept.length}`, ...whole };
  };
  const limit = { maxChars: 100, keep, knowsLinks: true, fitsSchema: () => true, ...also };
  const answer = limitResult(result as ToolCallResult, limit);
  return { answer, kept, authors, blocks: answer.content as readonly Record<string, unknown>[] };
}

const long = 'x'.repeat(500);
const text = (value: string) => ({ type: 'text', text: value });

describe('a result', () => {
  it.each([
    ['short', { content: [text('short')] }],
    ['just as long as may be', { content: [text('x'.repeat(100))] }],
    ['long only in what is no text', { content: [{ type: 'image', data: long, mimeType: 'image/png' }] }],
    ['short, its structure included', { content: [text('a')], structuredContent: { a: 'x'.repeat(80) } }],
    ['without content', { structuredContent: {} }],
    ['with content that is none', { content: [null, 5, { type: 'text' }, { type: 'resource' }] }],
  ])('that is %s is left as it is', (_, result) => {
    const { answer, kept } = limited(result);
    expect(answer).toBe(result);
    expect(kept).toEqual([]);
  });

  it.each([0, 1])(
    'in the words of a server keeps the line that says so, and its room, after %i notes',
    (notes) => {
      const given = [
        ...Array(notes).fill(text('a note')),
        text(attributionTo('box/it')),
        text(long.repeat(9)),
        text(long),
      ];
      const { answer, authors, blocks } = limited(
        { content: given, structuredContent: { a: long } },
        { maxChars: 1_000 },
      );
      expect(blocks[notes]).toEqual(given[notes]);
      expect(
        String(blocks[notes + 1]?.text)
          .match(/x+/g)
          ?.join('').length,
      ).toBeGreaterThan(100);
      expect(
        JSON.stringify(blocks.filter(({ type }) => type === 'text').map((each) => each.text)).length,
      ).toBeLessThan(1_000);
      expect(authors).toEqual(new Set(['box/it']));
      expect(answer._meta).toHaveProperty(['nexus/cut']);
      const short = { content: [text(attributionTo('box/it')), text('a')] };
      expect(limited(short).answer).toBe(short);
    },
  );

  it.each([25_000, 50_000, 100_000])(
    'of 50 kB of reports loses nothing silently where a host takes %i characters',
    (maxChars) => {
      const steps = Array.from({ length: 9 }, (_, index) => ({
        id: `step${index}`,
        output: `${index}`.repeat(5_400),
      }));
      const report = steps.map(({ id, output }) => `## ${id}\n\n${output}`).join('\n\n');
      const { answer, kept } = limited(
        { content: [text(report)], structuredContent: { steps } },
        { maxChars },
      );
      const shown = answer.structuredContent as { steps: typeof steps };
      expect(shown.steps.map(({ id }) => id)).toEqual(steps.map(({ id }) => id));
      const said = answer.content[0]?.text ?? '';
      expect(said === report || said.includes('characters left out; the whole text is the resource')).toBe(
        true,
      );
      if (JSON.stringify(shown) !== JSON.stringify({ steps })) {
        expect(shown.steps.filter(({ output }) => output.includes('characters left out'))).not.toEqual([]);
        expect(kept.map((each) => each.length)).toContain(JSON.stringify({ steps }).length);
      }
    },
  );

  it('says in words of which lists its structure has fewer', () => {
    const structuredContent = {
      steps: Array.from({ length: 400 }, (_, index) => ({ id: index, text: 'x'.repeat(90) })),
    };
    const { answer } = limited({ content: [text('short')], structuredContent }, { maxChars: 5_000 });
    const { steps, 'nexus/cut': said } = answer.structuredContent as typeof structuredContent & {
      'nexus/cut': string;
    };
    expect(answer.content[1]?.text).toBe(
      `[… the structured content has of steps ${steps.length} of 400; the whole is the resource nexus://results/1 …]`,
    );
    // For hosts that show a structure alone.
    expect(said).toBe(answer.content[1]?.text);
    expect(JSON.stringify(answer.structuredContent).length).toBeLessThanOrEqual(5_000);
  });

  it.each([1_000, 1_300, 1_600, 1_900, 2_000])(
    'says so itself in a structure, though a host takes no more than %i characters',
    (maxChars) => {
      const rows = Array.from({ length: 400 }, (_, id) => ({ id, text: 'x'.repeat(20) }));
      const uri = 'nexus://results/74b41e02-4be7-47f6-90d5-11e6e468aa54';
      const given = { content: [text('short')], structuredContent: { rows, total: 400 } };
      const { answer } = limited(given, { maxChars, uri });
      const { 'nexus/cut': said, ...shown } = answer.structuredContent as {
        rows: object[];
        'nexus/cut': string;
      };
      expect(said).toContain(`of rows ${shown.rows.length} of 400`);
      const texts = answer.content.filter(({ type }) => type === 'text').map((each) => each.text);
      const length = JSON.stringify(answer.structuredContent).length + texts.join('').length;
      expect(length).toBeLessThanOrEqual(maxChars);
      const many = Object.fromEntries(rows.map(({ id, text }) => [`name ${id}`, text]));
      const { answer: members } = limited({ ...given, structuredContent: many }, { maxChars, uri });
      expect(members.structuredContent).toHaveProperty(
        ['nexus/cut'],
        expect.stringMatching(/its members \d+ of 400/),
      );
    },
  );

  it('says so itself in a structure, whatever a server has there', () => {
    const structuredContent = {
      steps: Array.from({ length: 400 }, (_, index) => ({ id: index, text: 'x'.repeat(90) })),
      'nexus/cut': 'all of it',
    };
    const { answer } = limited({ content: [text('short')], structuredContent }, { maxChars: 5_000 });
    expect(Object.entries(answer.structuredContent ?? {})[0]).toEqual(['nexus/cut', answer.content[1]?.text]);
  });

  it('says nothing in a structure whose schema has no room for it', () => {
    const structuredContent = {
      steps: Array.from({ length: 400 }, (_, index) => ({ id: index, text: 'x'.repeat(90) })),
    };
    const fitsSchema = (structure: unknown) => !Object.hasOwn(structure as object, 'nexus/cut');
    const given = { content: [text('short')], structuredContent };
    const { answer } = limited(given, { maxChars: 5_000, fitsSchema });
    expect(Object.keys(answer.structuredContent ?? {})).toEqual(['steps']);
    expect(answer.content[1]?.text).toContain('; the whole is the resource nexus://results/1 …]');
  });

  it('says in words which objects of its structure have fewer members', () => {
    const names = Array.from({ length: 300 }, (_, index) => [`name ${index}`, 'x'.repeat(20)]);
    const structuredContent = { found: Object.fromEntries(names), total: 300 };
    const { answer } = limited({ content: [text('short')], structuredContent }, { maxChars: 2_000 });
    const { found } = answer.structuredContent as typeof structuredContent;
    expect(answer.content[1]?.text).toBe(
      `[… the structured content has of found ${Object.keys(found).length} of 300; the whole is the resource nexus://results/1 …]`,
    );
  });

  it('that is too long is cut, and links to the whole', () => {
    const { blocks, kept, answer } = limited({ isError: true, _meta: { a: 1 }, content: [text(long)] });
    expect(blocks[0]?.text).toContain(
      'of 500 characters left out; the whole text is the resource nexus://results/1',
    );
    expect(blocks[1]).toMatchObject({
      ...{ type: 'resource_link', uri: 'nexus://results/1', size: 500 },
      description: 'All 500 characters; readable by this URI for a day.',
    });
    expect(kept).toEqual([long]);
    expect(answer).toMatchObject({ isError: true, _meta: { a: 1 } });
  });

  it('has its long texts cut, not its short ones, nor anything that is no text', () => {
    const longer = long.repeat(10);
    const image = { type: 'image', data: long, mimeType: 'image/png' };
    const file = {
      type: 'resource',
      resource: { uri: 'file:///a', text: longer, mimeType: 'text/x-log', odd: 1 },
    };
    const { blocks, kept } = limited(
      { content: [text('short'), image, { ...text(longer), odd: 1 }, file] },
      { maxChars: 3_000 },
    );
    expect(blocks.slice(0, 2)).toEqual([text('short'), image]);
    expect(blocks[2]).toMatchObject({ odd: 1, text: expect.stringContaining('nexus://results/1') });
    expect(blocks[3]).toMatchObject({
      resource: { odd: 1, text: expect.stringContaining('nexus://results/2') },
    });
    expect(blocks.slice(4)).toMatchObject([{ mimeType: 'text/plain' }, { mimeType: 'text/x-log' }]);
    expect(kept).toEqual([longer, longer]);
  });

  it('names the whole only in the text for a client whose protocol has no links', () => {
    const { blocks } = limited({ content: [text(long)] }, { knowsLinks: false });
    expect(blocks).toHaveLength(1);
  });
});

describe('a result of very many blocks', () => {
  const many = (length: number) => ({ content: Array.from({ length }, (_, at) => text(String(at % 10))) });

  it('gets the first to the model, and the rest as one resource', () => {
    const { answer, kept, blocks } = limited(many(60_000), { maxChars: 50_000 });
    expect(kept).toHaveLength(1);
    expect(JSON.parse(kept[0] ?? '')).toHaveLength(59_500);
    expect(blocks).toHaveLength(502);
    expect(blocks[500]?.text).toContain('59500 of 60000 blocks with 59500 characters of text left out');
    expect(answer._meta).toEqual({ 'nexus/cut': { whole: ['nexus://results/1'] } });
    expect(JSON.stringify(answer).length).toBeLessThan(50_000);
  });

  it('is cut the same though no text is in it', () => {
    const content = Array.from({ length: 2_000 }, () => ({ type: 'x' }));
    const { blocks, kept } = limited({ content }, { maxChars: 50_000 });
    expect([blocks.length, kept.length]).toEqual([502, 1]);
  });

  it('names both wholes where a text among the first is long too', () => {
    const { content } = many(600);
    const { answer, kept } = limited({ content: [text(long), ...content] }, { maxChars: 400 });
    expect(kept.length).toBe(2);
    expect(answer._meta?.['nexus/cut']).toEqual({ whole: kept.map((_, at) => `nexus://results/${at + 1}`) });
  });
});

describe('a result of blocks that are no text', () => {
  const link = (at: number, description = 'What it is.') => ({
    ...{ type: 'resource_link', uri: `file:///${at}`, name: `file ${at}`, description },
  });
  const shown = (blocks: readonly Record<string, unknown>[]) =>
    blocks.filter(({ name }) => name !== 'whole-result').map((block) => JSON.stringify(block));

  it('has as many links as there is room for, and says how many are left out', () => {
    const content = Array.from({ length: 500 }, (_, at) => link(at));
    const { answer, kept, blocks } = limited({ content }, { maxChars: 5_000 });
    const [rest = ''] = kept;
    const many = 500 - JSON.parse(rest).length;
    expect(many).toBeGreaterThan(40);
    expect(shown(blocks).join('').length).toBeLessThanOrEqual(5_000);
    expect(blocks.slice(0, many)).toEqual(content.slice(0, many));
    expect(JSON.parse(rest)).toEqual(content.slice(many));
    expect(blocks[many]?.text).toContain(`${500 - many} of 500 blocks with 0 characters of text left out`);
    expect(answer._meta).toEqual({ 'nexus/cut': { whole: ['nexus://results/1'] } });
  });

  it('has a link that is longer than any answer as text, cut by its shape', () => {
    const { kept, blocks } = limited({ content: [link(0, long.repeat(9)), text('a')] }, { maxChars: 1_000 });
    const [note, json = ''] = String(blocks[0]?.text).split('\n');
    expect(note).toContain('characters left out; the whole text is the resource nexus://results/1');
    expect(JSON.parse(json)).toMatchObject({ type: 'resource_link', uri: 'file:///0' });
    expect(blocks[1]).toEqual(text('a'));
    expect(kept).toEqual([JSON.stringify(link(0, long.repeat(9)))]);
    expect(shown(blocks).join('').length).toBeLessThanOrEqual(1_100);
  });

  it.each([
    [50_000, 15],
    [1_000, 3],
  ])('has the pictures that a host of %i characters counts for so much: %i', (maxChars, many) => {
    const content = Array.from({ length: 40 }, () => ({ type: 'image', data: long, mimeType: 'image/png' }));
    const { blocks, kept } = limited({ content }, { maxChars });
    expect(blocks.filter(({ type }) => type === 'image')).toHaveLength(many);
    expect(JSON.parse(kept[0] ?? '')).toHaveLength(40 - many);
  });

  it('has no longer addresses of what stands in it than there is room for', () => {
    const at = (uri: string) => ({ type: 'resource', resource: { uri, text: 'a' } });
    const content = Array.from({ length: 90 }, () => at(`file:///${long}`));
    const { blocks } = limited({ content }, { maxChars: 5_000 });
    const resources = blocks.filter(({ type }) => type === 'resource').map(({ resource }) => resource);
    expect(resources).not.toEqual([]);
    expect(resources.map((each) => JSON.stringify(each)).join('').length).toBeLessThanOrEqual(5_000);
  });
});

describe('structured content of a result that is too long', () => {
  const items = Array.from({ length: 50 }, (_, index) => ({ name: `item ${index}` }));
  const structuredContent = { total: 50, items };
  const content = [text(JSON.stringify(structuredContent))];

  it('counts, though the text beside it is short', () => {
    const { answer, kept } = limited({ content: [text('50 items')], structuredContent });
    expect(JSON.stringify(answer.structuredContent).length).toBeLessThanOrEqual(100);
    expect(answer.content[0]).toEqual(text('50 items'));
    expect(kept.map((each) => JSON.parse(each))).toEqual([structuredContent]);
  });

  it('keeps its shape with less in it where the tool’s output schema promises it, and says where the whole is', () => {
    const { answer, kept } = limited({ content, structuredContent });
    const { total, items: some } = answer.structuredContent as typeof structuredContent;
    expect(total).toBe(50);
    expect(some.length).toBeGreaterThan(0);
    expect(some).toEqual(items.slice(0, some.length));
    expect(JSON.stringify(answer).length).toBeLessThan(700);
    expect(kept).toEqual([content[0]?.text]);
    expect(answer._meta).toEqual({ 'nexus/cut': { whole: ['nexus://results/1'] } });
  });

  it('stays whole where any cut would break what the schema promises', () => {
    const fitsSchema = (structure: unknown) => structure === structuredContent;
    const { answer } = limited({ content, structuredContent }, { fitsSchema });
    expect(answer.structuredContent).toEqual(structuredContent);
  });

  it('keeps its shape where nothing is promised, too, and is kept once', () => {
    const { answer, kept } = limited({ content, structuredContent }, { fitsSchema: () => undefined });
    const { total, items: some } = answer.structuredContent as typeof structuredContent;
    expect([total, some]).toEqual([50, items.slice(0, some.length)]);
    expect(answer.content[1]?.text).toBe(`[… the structured content has of items ${some.length} of 50 …]`);
    expect(kept).toEqual([content[0]?.text]);
  });

  it('names the list that has fewer whole, though there is no room to say where the whole is', () => {
    const results = Array.from({ length: 50 }, (_, id) => ({ id, text: 'x'.repeat(30) }));
    const { answer } = limited(
      { content: [text('a')], structuredContent: { output: { answer: { results } } } },
      { maxChars: 1_000, uri: 'nexus://results/92b2f038-dcc0-4f44-9bf3-6254f29fde05' },
    );
    expect(answer.content[1]?.text).toMatch(
      /^\[… the structured content has of output\.answer\.results \d+ of 50 …\]$/,
    );
  });

  it('is kept beside a text that says it otherwise', () => {
    const result = { content: [text(JSON.stringify(structuredContent, null, 1))], structuredContent };
    const { kept, answer } = limited(result, { fitsSchema: () => undefined });
    expect(kept.map((each) => JSON.parse(each))).toEqual([structuredContent, structuredContent]);
    expect(answer._meta).toEqual({ 'nexus/cut': { whole: ['nexus://results/1', 'nexus://results/2'] } });
  });

  it('stays where it is short itself', () => {
    const result = { content: [text(long)], structuredContent: { a: 1 } };
    expect(limited(result, { fitsSchema: () => undefined }).answer.structuredContent).toEqual({ a: 1 });
  });
});

const textIn = ({ text, resource }: Readonly<Record<string, unknown>>) =>
  String(text ?? Object(resource).text ?? '');

describe('an answer of any tool, at any size', () => {
  it('is never longer than may be, whatever it is cut to: maps with long names, numbers, levels', () => {
    const leaves = fc.oneof(
      fc.double(),
      fc.boolean(),
      fc
        .tuple(fc.constantFrom('a"', 'word ', 'ü\n'), fc.nat(2_000))
        .map(([unit, times]) => unit.repeat(times)),
    );
    const maps = fc
      .array(
        fc.tuple(
          fc
            .tuple(fc.string({ maxLength: 5 }), fc.nat(100))
            .map(([name, length]) => name.padEnd(length, '-')),
          fc.oneof(leaves, fc.array(leaves, { maxLength: 9 }), fc.dictionary(fc.string(), leaves)),
        ),
        { minLength: 1, maxLength: 200, size: 'max' },
      )
      .map((entries) => Object.fromEntries(entries));
    fc.assert(
      fc.property(
        maps,
        fc.array(
          fc.oneof(
            maps.map((map) => JSON.stringify(map)),
            fc.string({ maxLength: 9_000 }),
          ),
          {
            maxLength: 14,
          },
        ),
        fc.boolean(),
        fc.constantFrom(1_000, 1_500, 6_000, 25_000),
        (structuredContent, others, isStructured, maxChars) => {
          const content = [JSON.stringify(structuredContent), ...others].map(text);
          const { answer, blocks } = limited(
            { content, ...(isStructured ? { structuredContent } : {}) },
            { maxChars, uri: `nexus://results/${crypto.randomUUID()}` },
          );
          const structure = isStructured ? JSON.stringify(answer.structuredContent).length : 0;
          const length = blocks.reduce((sum, block) => sum + textIn(block).length, structure);
          expect(length).toBeLessThanOrEqual(maxChars);
        },
      ),
    );
  });

  const isJson = (said: unknown) => {
    try {
      return JSON.parse(String(said)) !== undefined;
    } catch {
      return false;
    }
  };
  const values = fc.oneof(
    fc.array(fc.jsonValue({ maxDepth: 4 })),
    fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })),
    fc.array(fc.record({ id: fc.nat(), name: fc.string() }), { minLength: 30, maxLength: 200 }),
  );

  it('holds no broken JSON and loses nothing that it does not say', () => {
    fc.assert(
      fc.property(
        fc.array(values, { minLength: 1, maxLength: 20 }),
        fc.boolean(),
        fc.constantFrom(0, 2),
        fc.constantFrom(60, 1_000, 5_000),
        (all, isResource, indent, maxChars) => {
          const texts = all.map((value) => JSON.stringify(value, null, indent));
          const content = texts.map((said) =>
            isResource ? { type: 'resource', resource: { uri: 'a://b', text: said } } : text(said),
          );
          const { answer, kept, blocks } = limited({ content }, { maxChars });
          const shown = blocks.filter(({ type }) => type === (isResource ? 'resource' : 'text'));
          for (const [index, whole] of texts.entries()) {
            const block = shown[index] as { text?: string; resource?: { text: string } } | undefined;
            const said = block?.resource?.text ?? block?.text ?? '';
            if (said === whole) continue;
            // Beyond the blocks that have room, all of the rest is one resource.
            if (block === undefined || said.includes('blocks with')) {
              expect(kept.some((each) => each.includes(JSON.stringify(content.at(-1))))).toBe(true);
              break;
            }
            if (maxChars >= 1_000) {
              const lengths = blocks.map((each) => textIn(each).length);
              expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(maxChars);
            }
            const [note = '', ...json] = said.split('\n');
            expect(note).toMatch(/^\[… .*characters left out; the whole text is the resource nexus:/);
            expect(isJson(json.join('\n'))).toBe(true);
            expect(kept).toContain(whole);
          }
          expect(answer.isError).toBeUndefined();
        },
      ),
    );
  });
});

describe('where it is cut', () => {
  const lengthOf = (blocks: readonly Readonly<Record<string, unknown>>[]) =>
    blocks.reduce((sum, block) => sum + textIn(block).length, 0);
  const rows = Array.from({ length: 400 }, (_, id) => ({ id, text: 'x'.repeat(20) }));

  it('what is as long as may be, and as many blocks, is none of it', () => {
    const { content } = { content: Array.from({ length: 500 }, () => text('a')) };
    for (const [result, maxChars] of [
      [{ content }, 5_000],
      [{ content: [text('a')], structuredContent: { a: 'x'.repeat(91) } }, 100],
    ] as const) {
      expect(limited(result, { maxChars }).answer).toBe(result);
    }
  });

  it('short blocks beyond the most are one resource, whose kind is said, and those before it have all of the room', () => {
    const content = Array.from({ length: 600 }, () => text('a'));
    for (const [maxChars, shown] of [
      [600, 450],
      [400, 300],
    ] as const) {
      const { blocks, kept } = limited({ content }, { maxChars });
      expect(blocks.slice(0, shown)).toEqual(content.slice(0, shown));
      expect(blocks.slice(shown)).toMatchObject([
        text(expect.stringContaining(`${600 - shown} of 600 blocks`)),
        { type: 'resource_link', mimeType: 'application/json' },
      ]);
      expect(JSON.parse(kept[0] ?? '')).toHaveLength(600 - shown);
    }
  });

  it('the first block is shown by a part though its address takes the room of another', () => {
    const file = { type: 'resource', resource: { uri: `file:///${'a'.repeat(120)}`, text: long } };
    const { blocks } = limited({ content: [file, text(long)] }, { maxChars: 400 });
    expect(blocks[0]).toMatchObject({ type: 'resource', resource: { uri: file.resource.uri } });
  });

  it('one text has all of the room, and nothing is said of a structure that is not there', () => {
    const { answer, blocks } = limited({ content: [text(long.repeat(9))] }, { maxChars: 1_000 });
    expect(lengthOf(blocks)).toBeLessThanOrEqual(1_000);
    expect(lengthOf(blocks)).toBeGreaterThan(950);
    expect(answer).not.toHaveProperty('structuredContent');
  });

  it('a structure that stays is not kept beside a text that does not', () => {
    const structuredContent = { a: 1 };
    const { answer, kept } = limited({ content: [text(long.repeat(9))], structuredContent });
    expect([answer.structuredContent, kept]).toEqual([structuredContent, [long.repeat(9)]]);
  });

  it('a structure is said to have fewer by a text of its own, and its whole to be JSON', () => {
    const { blocks } = limited(
      { content: [text('short')], structuredContent: { rows } },
      { maxChars: 3_000 },
    );
    expect(blocks).toEqual([
      text('short'),
      text(expect.stringContaining('the structured content has of rows')),
      expect.objectContaining({ type: 'resource_link', mimeType: 'application/json' }),
    ]);
  });

  it('a structure whose texts alone are shorter is not said to have fewer', () => {
    const structuredContent = { a: long.repeat(9), b: 1 };
    const { blocks, answer } = limited({ content: [text('short')], structuredContent }, { maxChars: 1_000 });
    expect(blocks.map(({ type }) => type)).toEqual(['text', 'resource_link']);
    expect(Object.keys(answer.structuredContent ?? {})).toEqual(['a', 'b']);
  });

  it.each([
    [500, false],
    [600, true],
    [650, true],
    [800, true],
  ])('a structure says so itself where a host takes %i characters: %s', (maxChars, isSaid) => {
    const { answer, blocks } = limited(
      { content: [text('a')], structuredContent: { rows } },
      { maxChars, uri: 'a://b' },
    );
    const members = Object.keys(answer.structuredContent ?? {});
    expect(members).toEqual(isSaid ? ['nexus/cut', 'rows'] : ['rows']);
    expect(lengthOf(blocks) + JSON.stringify(answer.structuredContent).length).toBeLessThanOrEqual(maxChars);
  });

  it('blocks that have just all of the room are all shown, though a structure is beside them', () => {
    const content = Array.from({ length: 20 }, () => text('x'.repeat(250)));
    const { blocks } = limited({ content, structuredContent: { a: 1 } }, { maxChars: 5_000 });
    const texts = blocks.filter(({ type }) => type === 'text').map((each) => String(each.text));
    expect(texts.length).toBeGreaterThanOrEqual(20);
    expect(texts.filter((each) => each.includes('of 20 blocks'))).toEqual([]);
  });

  it('the first of very many blocks are as they were where they and the structure have just all of the room', () => {
    const content = Array.from({ length: 600 }, () => text('a'));
    const structuredContent = { a: 'x'.repeat(242) };
    const { answer, kept } = limited({ content, structuredContent }, { maxChars: 1_000 });
    expect(answer.structuredContent).toBe(structuredContent);
    expect(kept).toEqual([JSON.stringify(content.slice(500))]);
  });

  it.each(Array.from({ length: 40 }, (_, at) => at))(
    'what is said of lists with names of %i characters more says where the whole is, in a structure as far as there is room',
    (more) => {
      const lists = Object.fromEntries(
        Array.from({ length: 12 }, (_, at) => [`${at}${'n'.repeat(more)}`, rows.slice(0, 100)]),
      );
      const { answer, blocks } = limited(
        { content: [text('a')], structuredContent: lists },
        { maxChars: 12_000, uri: 'a://b' },
      );
      const note = String(blocks[1]?.text);
      const said = String(answer.structuredContent?.['nexus/cut']);
      expect(note).toContain('; the whole is the resource a://b');
      expect(note.length).toBeLessThanOrEqual(250);
      // Its name, quotes and a comma take the rest of 250.
      expect(said.length).toBeLessThanOrEqual(235);
      expect(said).toContain(' of 100');
      expect(said === note).toBe(note.length <= 235);
    },
  );

  it('what is said of very many lists has a bound of its own', () => {
    const lists = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`list ${at}`, rows.slice(0, 30)]),
    );
    const { answer, blocks } = limited(
      { content: [text('a')], structuredContent: lists },
      { maxChars: 12_000 },
    );
    expect(String(blocks[1]?.text).length).toBeLessThanOrEqual(250);
    expect(String(answer.structuredContent?.['nexus/cut']).length).toBeLessThanOrEqual(250);
  });

  it.each([
    [2_000, 5],
    [4_000, 9],
    [40_000, 9],
  ])('so many links are shown as a host of %i characters has room for, of %i', (maxChars, length) => {
    const content = Array.from({ length }, () => text(long.repeat(20)));
    const { answer, kept } = limited({ content }, { maxChars });
    const links = answer.content.filter(({ type }) => type === 'resource_link');
    const each = besideText(links[0] ?? text(''), maxChars);
    expect(links.length).toBeLessThan(kept.length);
    expect(links.length).toBe(Math.floor(Math.min(1_000, maxChars / 4) / each));
  });

  it('as many links are shown as have just all of the room', () => {
    const content = Array.from({ length: 4 }, () => text(long.repeat(20)));
    const linksOf = (maxChars: number) =>
      limited({ content }, { maxChars }).answer.content.filter(({ type }) => type === 'resource_link');
    const each = besideText(linksOf(2_000)[0] ?? text(''), 2_000);
    expect(linksOf(8 * each)).toHaveLength(2);
    expect(linksOf(8 * each - 4)).toHaveLength(1);
  });

  describe('and is in the words of a server', () => {
    const line = text(attributionTo('box/it'));

    it('has the room that the line leaves', () => {
      const { blocks } = limited({ content: [line, text(long.repeat(9))] }, { maxChars: 1_000 });
      expect(lengthOf(blocks)).toBeLessThanOrEqual(1_000);
      expect(lengthOf(blocks)).toBeGreaterThan(950);
    });

    it('stays whole where any cut would break what the schema promises', () => {
      const given = { content: [line, text('a')], structuredContent: { rows } };
      const { answer } = limited(given, {
        maxChars: 1_000,
        fitsSchema: (each) => each === given.structuredContent,
      });
      expect(answer.structuredContent).toEqual({ rows });
    });

    it.each([
      [true, true],
      [undefined, false],
    ])('is begun where it is of a tool of our own: %s', (isOwn, isBegun) => {
      const content = [line, text(JSON.stringify({ rows }))];
      const also = isOwn === undefined ? {} : { isOwn };
      const { answer } = limited({ content, structuredContent: { rows } }, { maxChars: 2_000, ...also });
      expect(Object.hasOwn(answer.structuredContent ?? {}, 'whole')).toBe(isBegun);
    });
  });

  it('an answer of our own with a picture leaves room for that', () => {
    const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
    const content = [text(JSON.stringify({ rows })), image];
    const { answer, blocks } = limited(
      { content, structuredContent: { rows } },
      { maxChars: 4_000, isOwn: true, uri: UNKEPT },
    );
    expect(answer.structuredContent).toHaveProperty('whole');
    expect(
      lengthOf(blocks.slice(0, 1)) + JSON.stringify(answer.structuredContent).length,
    ).toBeLessThanOrEqual(3_000);
  });
});

describe('an answer of Nexus’s own', () => {
  const own = (
    structuredContent: object,
    said = JSON.stringify(structuredContent),
    also: Partial<ResultLimit> = {},
  ) => {
    const result = { content: [text(said)], structuredContent };
    return limited(result, { maxChars: 1_000, isOwn: true, uri: UNKEPT, ...also });
  };
  const opened = {
    toolbox: 'box',
    tools_registered: 40,
    tools: Array.from({ length: 40 }, (_, at) => `box__it__tool_${at}`),
  };

  it('says the same as text and as structure, and both say what they have less of and where it is', () => {
    const { answer, kept } = own(opened);
    const { tools, whole, leftOut } = answer.structuredContent as Record<string, string[]>;
    expect(answer.content[0]?.text).toBe(JSON.stringify(answer.structuredContent));
    expect(tools).toEqual(opened.tools.slice(0, tools?.length));
    expect([whole, leftOut]).toEqual([UNKEPT, `of tools ${tools?.length} of 40`]);
    expect(kept).toEqual([JSON.stringify(opened)]);
    expect(2 * JSON.stringify(answer.structuredContent).length).toBeLessThanOrEqual(1_000);
    expect(answer._meta).toEqual({ 'nexus/cut': { whole: [UNKEPT] } });
  });

  it('has whole lines of a text of its own, and what was fenced is closed', () => {
    const run = {
      ...{ runId: 'run_1', status: 'completed', summary: '# lists\n\n3 of 3 steps done.' },
      output: { files: opened.tools, long: { text: 'so it goes on, '.repeat(60) } },
    };
    const said = ['## files', '', '```json', ...opened.tools, '```', '', 'no model asked; 0.2 s'].join('\n');
    const { answer, kept } = own(run, said);
    const lines = (answer.content[0]?.text ?? '').split('\n');
    expect(lines.filter((line) => line.startsWith('```')).length % 2).toBe(0);
    for (const line of lines.filter((each) => !each.startsWith('[… ')))
      expect([line, said.split('\n').includes(line)]).toEqual([line, true]);
    expect(lines.at(-1)).toBe('no model asked; 0.2 s');
    expect(answer.structuredContent).toMatchObject({ runId: 'run_1', summary: run.summary, whole: UNKEPT });
    expect(kept.sort()).toEqual([said, JSON.stringify(run)].sort());
  });

  it('is cut by its shape where no beginning keeps its schema, or is short enough', () => {
    for (const { answer } of [
      own(opened, undefined, { fitsSchema: (structure) => !('whole' in Object(structure)) }),
      own(Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`name_${at}`, `a short text ${at}`]))),
    ]) {
      expect(answer.content[0]?.text).toMatch(/^\[… \d+ of \d+ characters left out/);
      expect(answer.structuredContent).not.toHaveProperty('whole');
    }
  });

  it('is that of another server only where it is said to be', () => {
    expect(own(opened, undefined, { isOwn: false }).answer.structuredContent).not.toHaveProperty('whole');
  });
});
