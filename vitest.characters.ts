import fc from 'fast-check';

/** Where the halves of a character stand, which are none by themselves. */
const HALVES = { from: 0xd800, count: 0x800 };
const CHARACTERS = 0x11_0000 - HALVES.count;

/**
 * Any character that there is, as the unit of a `fc.string`. What fast-check has for that, `binary`, first puts all
 * 1.1 million of them into a map, in each process of tests: two seconds of processor.
 */
export const anyCharacter = fc
  .nat(CHARACTERS - 1)
  .map((at) => String.fromCodePoint(at < HALVES.from ? at : at + HALVES.count), positionOf);

/** Tells fast-check which texts, such as `__proto__`, it may put in among the random ones. */
function positionOf(text: unknown): number {
  const [character, ...more] = typeof text === 'string' ? text : '';
  const code = character?.codePointAt(0);
  if (code === undefined || more.length > 0) throw new Error('not one character');
  return code < HALVES.from ? code : code - HALVES.count;
}
