import { expect, it } from 'vitest';
import { asItLooks } from './as-it-looks.ts';

it('makes few characters of each, though a single one may be a whole phrase', () => {
  for (let code = 0x80; code < 0x20000; code += 1) {
    if (code >= 0xd800 && code < 0xe000) continue;
    expect(asItLooks(String.fromCodePoint(code)).length, code.toString(16)).toBeLessThanOrEqual(8);
  }
});
