import { describe, expect, it } from 'vitest';
import { AnyText } from './any-text.ts';

/** Whether any text of it is `so`, and how many characters were looked at for that. */
function asked(value: unknown) {
  const texts: string[] = [];
  const anyText = new AnyText((text) => {
    texts.push(text);
    return text === 'so';
  });
  return { is: anyText.isIn(value), texts, chars: texts.join('').length };
}

describe('any text of a value', () => {
  it.each([
    ['a text', 'so'],
    ['a name', { so: 1 }],
    ['one inside', { a: [{ b: ['so'] }] }],
    ['a name of the only item of a list', [{ so: 1 }]],
    ['the value of a name that each object has', JSON.parse('{"__proto__":"so"}')],
    ['one that texts of a list make together', [{ text: 's' }, { text: 'o' }]],
    ['one that they make as JSON reads each', [{ text: '"s"' }, { text: ' "o"\n' }]],
  ])('may be it: %s', (_, value) => {
    expect(asked(value).is).toBe(true);
  });

  it.each([[null], [5], ['a'], [{ a: ['b', { text: 'c' }] }], [['s', 'o']]])('is not: %j', (value) => {
    expect(asked(value).is).toBe(false);
  });

  it('is not looked at beyond a bound, where it may be all that it may be', () => {
    const within = 'x'.repeat(250_000);
    expect(asked(within)).toMatchObject({ is: false, chars: 250_000 });
    expect(asked('x'.repeat(15_000_000))).toMatchObject({ is: true, chars: 0 });
    const two = asked({ a: within, b: within });
    expect([two.is, two.chars]).toEqual([true, 250_002]);
    const many = asked(Array(1_000_000).fill('x'));
    expect(many.is).toBe(true);
    expect(many.chars).toBeLessThan(50_000);
  });
});
