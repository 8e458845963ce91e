import { findQuote } from '@nexus/plugin-sdk/evidence';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { circlesIn, levelsOf, withoutCircles } from './order.ts';
import { readStructure } from './read-structure.ts';

describe('a specification read by its form', () => {
  it('has its list items, and its sentences that demand something, with their lines and headings', () => {
    const spec = [
      '# Product',
      'Some words about it. It MUST start. It is nice.',
      '## Parts',
      '1. The first',
      '   part',
      '- [ ] **R-2**: The second, which depends on R-1 and R3',
      '- R-1: The third',
      '```',
      '- no requirement, but code; it MUST not count',
      '```',
    ].join('\n');
    expect(readStructure(spec)).toEqual([
      { id: 'S1', text: 'It MUST start.', lines: { from: 2, to: 2 }, section: ['Product'], dependsOn: [] },
      {
        id: 'S2',
        text: 'The first part',
        lines: { from: 4, to: 5 },
        section: ['Product', 'Parts'],
        dependsOn: [],
      },
      {
        id: 'R-2',
        text: 'The second, which depends on R-1 and R3',
        lines: { from: 6, to: 6 },
        section: ['Product', 'Parts'],
        dependsOn: ['R-1'],
      },
      {
        id: 'R-1',
        text: 'The third',
        lines: { from: 7, to: 7 },
        section: ['Product', 'Parts'],
        dependsOn: [],
      },
    ]);
  });

  it('never fails, names each item once, and stays in the text', () => {
    const line = fc.constantFrom(
      '# A',
      '- item',
      '  more',
      'It MUST be.',
      '```',
      '',
      '- R1: x',
      '1) R1: y depends on S2',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
        const items = readStructure(lines.join('\n'));
        expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
        for (const { lines: at } of items) {
          expect(at.from).toBeGreaterThanOrEqual(1);
          expect(at.to).toBeLessThanOrEqual(lines.length);
        }
      }),
    );
  });

  it('that asks for more than anybody could see to is refused, with what to do', () => {
    const items = (count: number) => '- one of them\n'.repeat(count);
    expect(readStructure(items(2_000))).toHaveLength(2_000);
    expect(() => readStructure(items(2_001))).toThrow(
      'The specification asks for something at more than 2000 places (list items, and sentences with MUST, SHALL or SHOULD). Give it in parts.',
    );
  });

  it('takes no longer than the text is long', () => {
    const spec = `- ${'needs R1, and or '.repeat(20_000)}\n${'('.repeat(50_000)} MUST`;
    expect(readStructure(spec)).toHaveLength(1);
  });
});

describe('a quote', () => {
  it('is found at its lines whatever the white space, and nearest to where it is said to be', () => {
    const text = 'one two\nthree four\n\none two\n';
    expect(findQuote(text, 'two three')).toEqual({ from: 1, to: 2 });
    expect(findQuote(text, 'one two', 4)).toEqual({ from: 4, to: 4 });
    expect(findQuote(text, 'two one')).toBeUndefined();
    expect(findQuote(text, ' ')).toBeUndefined();
  });

  it('taken out of any text is found there', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 20 }), { maxLength: 20 }),
        fc.nat(),
        fc.nat(),
        (lines, a, b) => {
          const text = lines.join('\n');
          const quote = text.slice(a % (text.length + 1), (a % (text.length + 1)) + 3 + (b % 30));
          fc.pre(quote.replace(/\s+/g, '').length >= 3);
          const found = findQuote(text, quote);
          expect(found).toBeDefined();
          const there = text
            .split('\n')
            .slice((found?.from ?? 1) - 1, found?.to)
            .join('');
          expect(there.replace(/\s+/g, '')).toContain(quote.replace(/\s+/g, ''));
        },
      ),
    );
  });
});

describe('an order of needs', () => {
  const items = fc.array(fc.array(fc.nat({ max: 9 }), { maxLength: 4 }), { maxLength: 10 }).map((needs) =>
    needs.map((each, index) => ({
      id: `n${index}`,
      dependsOn: [...new Set(each)].filter((need) => need < needs.length).map((need) => `n${need}`),
    })),
  );

  it('has no circle once those are broken, and breaks nothing where there is none', () => {
    fc.assert(
      fc.property(items, (given) => {
        const { items: sound, broken } = withoutCircles(given);
        expect(circlesIn(sound)).toEqual([]);
        expect(broken.length > 0).toBe(circlesIn(given).length > 0);
        expect(levelsOf(sound).flat().sort()).toEqual(given.map(({ id }) => id).sort());
        const kept = sound.reduce((sum, { dependsOn }) => sum + dependsOn.length, 0);
        expect(kept + broken.length).toBe(given.reduce((sum, { dependsOn }) => sum + dependsOn.length, 0));
      }),
    );
  });
});
