import { describe, expect, it } from 'vitest';
import { exactJson, parseExact } from './exact-json.ts';

describe('parseExact', () => {
  it.each([
    '9007199254740993',
    '-12345678901234567890.5',
    '1e400',
    '1e-400',
    '0.12345678901234567891',
    '{"a":[9007199254740993,{"b":1e999}],"c":"9007199254740993"}',
  ])('keeps all of %s', (text) => {
    expect(exactJson(parseExact(` ${text}\r\n`))).toBe(text);
  });

  it.each([
    ['9007199254740992', 9007199254740992],
    ['100000000000000000000.000', 1e20],
    ['-0.0000000000000000015e3', -1.5e-15],
    ['0.000000000000000000e999', 0],
    ['1.7976931348623157E+308', Number.MAX_VALUE],
  ])('gives %s as a number, since it is none other', (text, value) => {
    expect(parseExact(text)).toBe(value);
  });

  it('throws for what is no JSON', () => {
    expect(() => parseExact('[9007199254740993')).toThrow(SyntaxError);
  });
});
