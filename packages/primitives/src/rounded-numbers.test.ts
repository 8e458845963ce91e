import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { roundedNumbers } from './rounded-numbers.ts';

describe('numbers that are not kept', () => {
  it.each<[string, string[]]>([
    ['{"id":9007199254740993}', ['id']],
    ['{"a":[1,{"b c":[[0,-12345678901234567891]]}],"z":9007199254740993}', ['a.1.b c.0.1', 'z']],
    ['{"a": [ 9007199254740993 , 9007199254740995]}', ['a.0', 'a.1']],
    ['{"far":1e400}', ['far']],
    ['9007199254740993', ['']],
    ['{"kept":9007199254740992,"max":9007199254740991}', []],
    ['{"power":18446744073709551616,"as JavaScript writes it":18446744073709552000}', ['power']],
    ['{"least":-9223372036854775808,"power":1152921504606846976}', ['least', 'power']],
    ['{"fraction":0.30000000000000004,"large":1.7976931348623157e+308}', []],
    ['{"text":"{\\"id\\":9007199254740993, :9007199254740993"}', []],
    ['{"text":"\\\\","id":9007199254740993}', ['id']],
  ])('are found in %s', (text, paths) => {
    expect(roundedNumbers(text)).toEqual(paths);
  });

  it('are at most twenty', () => {
    expect(roundedNumbers(`[${Array.from({ length: 50 }, () => '9007199254740993')}]`)).toHaveLength(20);
  });

  it('are none in what JavaScript wrote', () => {
    const kept = fc.property(fc.jsonValue(), (value) => {
      expect(roundedNumbers(JSON.stringify(value))).toEqual([]);
    });
    fc.assert(kept);
  });

  it('are each integer that would be written as another', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 2n ** 53n, max: 2n ** 70n }), (value) => {
        const isKept = JSON.stringify(Number(value)) === String(value);
        expect(roundedNumbers(`{"a":[${value}]}`)).toEqual(isKept ? [] : ['a.0']);
      }),
    );
  });
});
