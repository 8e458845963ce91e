/**
 * A text as it is compared: what typesetting does to it is undone, and what it says is not. Folded are white space,
 * quotation marks, dashes, ligatures, ellipses, invisible characters, and words that are divided at a line's end.
 * Kept are case, accents, digits (raised ones, too), signs and every other character.
 */
export interface Folded {
  readonly text: string;
  /** Where each character of `text` comes from, and one past the last. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /**
   * Hyphens between letters, which are left out of `text`: by the place in `text` that they stand before, whether a
   * line ended there, so that the hyphen may be the typesetter’s.
   */
  readonly hyphens: ReadonlyMap<number, Hyphen>;
}

export type Hyphen = 'plain' | 'at-line-end';

const ONE_FOR_ANOTHER: Readonly<Record<string, string>> = {
  ...each('‘’‚‛′`´ʼ', "'"),
  ...each('“”„‟″«»', '"'),
  ...each('‐‑‒–—―−﹣-', '-'),
  ...each(
    '\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000',
    ' ',
  ),
  ...each('\t\v\f', ' '),
  ...each('\r\n\u0085\u2028\u2029', '\n'),
  ...each('\u00ad\u200b\u200c\u200d\u2060\ufeff', ''),
  ﬀ: 'ff',
  ﬁ: 'fi',
  ﬂ: 'fl',
  ﬃ: 'ffi',
  ﬄ: 'ffl',
  ﬅ: 'st',
  ﬆ: 'st',
  '…': '...',
};

function each(characters: string, to: string): Record<string, string> {
  return Object.fromEntries([...characters].map((character) => [character, to]));
}

interface Unit {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

const LETTER = /^\p{L}/u;
const SOFT = '\u00ad';

export function fold(source: string): Folded {
  const units = collapsed(read(source));
  const texts: string[] = [];
  const from: number[] = [];
  const to: number[] = [];
  const hyphens = new Map<number, Hyphen>();
  for (let at = 0; at < units.length; at += 1) {
    const unit = units[at] as Unit;
    // After a hyphen that stays.
    if (unit.text === '\n') continue;
    const hyphen = hyphenAt(units, at);
    if (hyphen) {
      hyphens.set(from.length, hyphen.kind);
      at += hyphen.length - 1;
      continue;
    }
    for (const character of unit.text) {
      texts.push(character);
      // A character beyond the first plane takes two places.
      for (let place = 0; place < character.length; place += 1) {
        from.push(unit.from);
        to.push(unit.to);
      }
    }
  }
  return { text: texts.join(''), from: Int32Array.from(from), to: Int32Array.from(to), hyphens };
}

/** Character by character with its marks, composed, in the place of each what it is compared as. */
function read(source: string): Unit[] {
  const units: Unit[] = [];
  for (const { 0: found, index } of source.matchAll(/\r\n|\P{M}\p{M}*|\p{M}+/gsu)) {
    const end = index + found.length;
    const composed = found === '\r\n' ? '\n' : found.normalize('NFC');
    if (composed === SOFT) {
      // Only where it shows does it end a line, and then nothing is left of it.
      units.push({ text: SOFT, from: index, to: end });
      continue;
    }
    const [first = '', ...marks] = [...composed];
    const text = (ONE_FOR_ANOTHER[first] ?? first) + marks.join('');
    if (text !== '') units.push({ text, from: index, to: end });
  }
  return units;
}

/** White space as one space, or one line's end where there is such in it; a soft hyphen with what follows it is none. */
function collapsed(units: readonly Unit[]): Unit[] {
  const result: Unit[] = [];
  for (let at = 0; at < units.length; at += 1) {
    const unit = units[at] as Unit;
    if (unit.text === SOFT) {
      let next = at + 1;
      while (isBlank(units[next])) next += 1;
      const ends = units.slice(at, next).some(({ text }) => text === '\n');
      if (ends) at = next - 1;
      continue;
    }
    if (!isBlank(unit)) {
      result.push(unit);
      continue;
    }
    let next = at;
    while (isBlank(units[next + 1])) next += 1;
    const blank = units.slice(at, next + 1);
    const text = blank.some((each) => each.text === '\n') ? '\n' : ' ';
    result.push({ text, from: unit.from, to: (units[next] as Unit).to });
    at = next;
  }
  return trimmed(result).map((unit, at, all) => (isDivision(all, at) ? unit : spaced(unit)));
}

function isBlank(unit: Unit | undefined): boolean {
  return unit?.text === ' ' || unit?.text === '\n';
}

function spaced(unit: Unit): Unit {
  return unit.text === '\n' ? { ...unit, text: ' ' } : unit;
}

/** A line's end after a hyphen that a letter or a digit stands before. */
function isDivision(units: readonly Unit[], at: number): boolean {
  return (
    units[at]?.text === '\n' &&
    units[at - 1]?.text === '-' &&
    /^[\p{L}\p{N}]/u.test(units[at - 2]?.text ?? '')
  );
}

function trimmed(units: readonly Unit[]): Unit[] {
  const first = units.findIndex((unit) => !isBlank(unit));
  if (first === -1) return [];
  let last = units.length - 1;
  while (isBlank(units[last])) last -= 1;
  return units.slice(first, last + 1);
}

/** A hyphen between letters, with the line's end after it; one before a digit stays, without that end. */
function hyphenAt(units: readonly Unit[], at: number): { kind: Hyphen; length: number } | undefined {
  if (units[at]?.text !== '-' || !LETTER.test(units[at - 1]?.text ?? '')) return undefined;
  const endsLine = units[at + 1]?.text === '\n';
  const next = units[at + (endsLine ? 2 : 1)]?.text ?? '';
  if (!LETTER.test(next)) return undefined;
  return { kind: endsLine ? 'at-line-end' : 'plain', length: endsLine ? 2 : 1 };
}
