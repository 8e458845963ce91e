import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { catalogued } from '../../test/catalogued.ts';
import { NEEDS_DATA, realCatalogues } from '../../test/real-catalogues.ts';
import { hitList } from './hit-list.ts';

const MAX_TOKENS = 1_200;
const tokensOf = (answer: unknown) => countTokens(JSON.stringify(answer));

const large = {
  name: 'configure_everything',
  description: 'Configures everything there is, in one go. '.repeat(20),
  annotations: { title: 'Configure', readOnlyHint: false, destructiveHint: null },
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [
        `setting_${index}`,
        { type: 'string', description: `Setting number ${index}, which changes how it works.` },
      ]),
    ),
    required: ['setting_0'],
  },
};
const hitsOf = (count: number, definition = large) =>
  Array.from({ length: count }, (_, index) => ({
    tool: catalogued('server', { ...definition, name: `${definition.name}_${index}` }),
    score: 0.5,
  }));

describe('an answer of find_tools', () => {
  it('shows a small tool whole, with the hints that its server states', () => {
    const inputSchema = { $schema: 'any', type: 'object', properties: { a: { type: 'string' } } };
    const definition = {
      name: 'small',
      description: ' Two\n lines. ',
      annotations: large.annotations,
      inputSchema,
    };
    const answer = hitList(
      { hits: [{ tool: catalogued('s', definition, 't'), score: 0.12345 }], total: 9 },
      [],
    );
    expect(answer).toEqual({
      hits: [
        {
          toolbox: 't',
          server: 's',
          tool: 'small',
          description: 'Two lines.',
          annotations: { readOnlyHint: false },
          score: 0.12,
          inputSchema,
        },
      ],
      total: 9,
      nextOffset: 1,
      unreachable: [],
    });
  });

  it('cuts schemas that are too large, and says so', () => {
    const { hits, note } = hitList({ hits: hitsOf(5), total: 5 }, []);
    expect(hits.map((hit) => 'isSchemaCut' in hit)).toEqual([true, true, true, false, false]);
    for (const hit of hits.slice(0, 3)) {
      expect(hit).toMatchObject({ inputSchema: { required: ['setting_0'], properties: { setting_0: {} } } });
    }
    expect(JSON.stringify(hits[0])).toMatch(/setting_20.*and 39 more properties/);
    expect(note).toContain('limit 1');
  });

  it('shows more of a schema that stands alone, and then has no more to offer', () => {
    const [alone] = hitList({ hits: hitsOf(1), total: 5 }, []).hits;
    const [among] = hitList({ hits: hitsOf(5), total: 5 }, []).hits;
    expect(JSON.stringify(alone).length).toBeGreaterThan(JSON.stringify(among).length);
    expect(hitList({ hits: hitsOf(1), total: 5 }, [])).not.toHaveProperty('note');
  });

  it('names as many tools where none fits by its words: what does a sentence’s job may be the fifth', () => {
    const { hits } = hitList({ hits: hitsOf(5), total: 9, fits: false }, []);
    expect(hits.map((hit) => 'inputSchema' in hit)).toEqual(Array(5).fill(false));
  });

  it('counts the servers that could not be reached where they are too many to name', () => {
    const unreachable = Array.from({ length: 64 }, (_, index) => ({
      toolbox: `box ${index}`,
      server: 'server',
      reason: 'spawn ENOENT '.repeat(40),
    }));
    const answer = hitList({ hits: hitsOf(20), total: 20 }, unreachable);
    expect(answer.unreachableTotal).toBe(64);
    expect(answer.unreachable.length).toBeGreaterThan(1);
    // As long as what Nexus says of tools that are held back.
    const whole = { toolbox: 'tb', server: 'fk', reason: 'x'.repeat(200) };
    expect(hitList({ hits: [], total: 0 }, [whole]).unreachable).toEqual([whole]);
    expect(hitList({ hits: [], total: 0 }, unreachable.slice(0, 1))).not.toHaveProperty('unreachableTotal');
  });

  it.each([
    ['words', 'configure '],
    ['digits', '0123456789'],
    ['marks', '{}[]"\\:,'],
    ['Chinese', '設定所有的東西並且回答'],
    ['emoji', '🧰🚀'],
  ])('keeps to its tokens whatever the texts are made of: %s', (_, text) => {
    const long = text.repeat(100);
    const properties = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [
        `${text}${index}`,
        { type: 'string', description: long, enum: [long] },
      ]),
    );
    const definition = {
      ...large,
      name: text,
      description: long,
      inputSchema: { type: 'object', properties },
    };
    for (const count of [1, 3, 5, 20]) {
      const hits = hitsOf(count, definition as never);
      const shapes = new Map(hits.map(({ tool }) => [tool, { type: 'object', properties }]));
      for (const as of ['schema', 'types'] as const) {
        const answer = hitList({ hits, total: 99 }, [], { as, shapes });
        expect(tokensOf(answer)).toBeLessThanOrEqual(MAX_TOKENS);
      }
    }
  });
});

const data = realCatalogues();

describe.skipIf(!data)(`answers with tools of real servers ${NEEDS_DATA}`, () => {
  it.each([1, 3, 5, 20])('keep to their tokens, each tool among %i', (count) => {
    const tools = data?.tools ?? [];
    for (let from = 0; from < tools.length; from += count) {
      const hits = tools.slice(from, from + count).map((tool) => ({ tool, score: 0.5 }));
      expect(tokensOf(hitList({ hits, total: 9_999 }, [])), tools[from]?.tool).toBeLessThanOrEqual(
        MAX_TOKENS,
      );
    }
  });
});
