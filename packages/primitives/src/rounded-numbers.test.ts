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
    ['{"power":36028797018963968,"as float":3.6028797018963968e16}', ['power']],
    ['{"digits":0.1000000000000000055511151231257827}', ['digits']],
    ['{"coins":-0.123456789012345678,"whole":12.345678901234567891}', ['coins', 'whole']],
    ['{"id":9007199254740993.0,"half":9007199254740992.5}', ['id', 'half']],
    ['{"id":9.007199254740993e15,"of":900719925474099.3E+1}', ['id', 'of']],
    ['[1e400,-1E+400,1e-400,1.5e-324,0.1e0400]', ['0', '1', '2', '3', '4']],
    ['[0.30000000000000004,1.10,1e3,1.2e308,0e999,-0,0.0,5e-324,4.9e-324,1.0E+2]', []],
    ['[0.10000000000000001,0.1000000000000000000000,100000000000000000000,1e23]', []],
    ['[9.9999999999999992e+22,1.2345678901234568e+300,9.0071992547409920e+15]', []],
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

  it('are none in what others write of a number of 64 bits', () => {
    const fraction = fc
      .double({ noDefaultInfinity: true, noNaN: true })
      .filter((value) => !Number.isInteger(value));
    fc.assert(
      fc.property(fraction, fc.integer({ min: 1, max: 17 }), (value, digits) => {
        const all = [value.toPrecision(digits), value.toExponential(digits - 1), value.toExponential(16)];
        // Less than can be written has no digits.
        const written = all.filter((text) => Number.isFinite(Number(text)));
        expect(roundedNumbers(`[${written.join(',')}]`), written.join(' ')).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
    const large = fc.double({ min: 1e17, max: 1.7e308, noNaN: true });
    fc.assert(
      fc.property(large, (value) => {
        expect(roundedNumbers(`[${value.toExponential(16)}]`)).toEqual([]);
      }),
    );
  });

  it('are each number of more digits that would be written as another, and none that would not', () => {
    const digits = fc.stringMatching(/^[1-9]\d{16,39}[1-9]$/);
    fc.assert(
      fc.property(digits, fc.integer({ min: -300, max: 250 }), fc.boolean(), (all, exponent, isPoint) => {
        const written = isPoint ? `0.${all}e${exponent}` : `${all.slice(0, 3)}.${all.slice(3)}`;
        const [value, shift] = [BigInt(all), isPoint ? exponent - all.length : 3 - all.length];
        const [mantissa = '', power = '0'] = String(Number(written)).split('e');
        const [whole = '', fraction = ''] = mantissa.split('.');
        const [own, ownShift] = [BigInt(whole + fraction), Number(power) - fraction.length];
        const least = Math.min(shift, ownShift);
        const isKept = value * 10n ** BigInt(shift - least) === own * 10n ** BigInt(ownShift - least);
        expect(roundedNumbers(`[${written}]`), written).toEqual(isKept ? [] : ['0']);
      }),
    );
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
