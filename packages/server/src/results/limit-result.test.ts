import type { ReadableText, ToolCallResult } from '@nexus/plugin-sdk';
import { attributionTo } from '@nexus/primitives';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limitResult, type ResultLimit } from './limit-result.ts';

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
