import fc from 'fast-check';
import { anyCharacter } from '../../../vitest.characters.ts';

/** What acts on a terminal, hides, turns text round, or passes for something else. */
const ODD = [
  '\u001b[2J',
  '\u001b]0;x\u0007',
  '\u009b]0;./x/evil;\u009c',
  '\u009d',
  '\u202e',
  '\u2066',
  '\u200b',
  '\ufeff',
  '\u00ad',
  '\u2028',
  '\u3164',
  '\u00a0',
];
/** What divides, quotes and names, to those who read a command as a shell does. */
const PLAIN = [
  '\n',
  '\r',
  '\t',
  '"',
  '\\',
  "'",
  ' ',
  ';',
  '$(x)',
  '`x`',
  '{}',
  '],',
  '--token=',
  'true',
  './x',
];

/** A word as an attacker writes it. */
export const oddWord = fc
  .array(fc.oneof(fc.constantFrom(...ODD, ...PLAIN), fc.string({ unit: anyCharacter, maxLength: 6 })), {
    minLength: 1,
    maxLength: 8,
  })
  .map((pieces) => pieces.join(''));

/** Of which nothing that is shown may have one. */
export const ACTS_OR_HIDES = /[\p{Cc}\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u3164]/u;
