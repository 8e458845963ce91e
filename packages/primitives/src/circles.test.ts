import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { circlesOf, leadsTo } from './circles.ts';

const arrowsOf = (list: readonly (readonly [string, readonly string[]])[]) =>
  new Map(list.map(([name, needs]) => [name, new Set(needs)]));

const someArrows = fc
  .array(fc.array(fc.nat({ max: 7 }), { maxLength: 3 }), { maxLength: 8 })
  .map((list) => arrowsOf(list.map((needs, at) => [`${at}`, needs.map(String)])));

describe('circlesOf', () => {
  it('names the ring, not what waits for it or what it waits for', () => {
    const arrows = arrowsOf([
      ['waits', ['a']],
      ['a', ['b', 'free']],
      ['b', ['a']],
      ['self', ['self']],
      ['free', []],
    ]);
    expect(circlesOf(arrows).map((circle) => circle.toSorted())).toEqual([['a', 'b'], ['self']]);
  });

  it('finds one exactly where something leads to itself, and each in its order', () => {
    fc.assert(
      fc.property(someArrows, (arrows) => {
        const circles = circlesOf(arrows);
        expect(circles.length > 0).toBe([...arrows.keys()].some((name) => leadsTo(name, name, arrows)));
        for (const circle of circles) {
          for (const [at, name] of circle.entries()) {
            expect(arrows.get(name)?.has(circle[(at + 1) % circle.length] ?? '')).toBe(true);
          }
        }
        expect(new Set(circles.flat()).size).toBe(circles.flat().length);
      }),
    );
  });
});

describe('leadsTo', () => {
  it('goes over at least one arrow, whichever way there is', () => {
    const arrows = arrowsOf([
      ['a', ['b', 'c']],
      ['b', []],
      ['c', ['d', 'c']],
    ]);
    expect(leadsTo('a', 'd', arrows)).toBe(true);
    expect(leadsTo('a', 'a', arrows)).toBe(false);
    expect(leadsTo('c', 'c', arrows)).toBe(true);
    expect(leadsTo('d', 'a', arrows)).toBe(false);
  });
});
