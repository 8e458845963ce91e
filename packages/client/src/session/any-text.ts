import { isRecord } from '@nexus/core';

/** Characters of one message that are looked at: of the costliest, some 80 ms, in which no other session has its turn. */
const MOST_LOOKED_AT = 256 * 1024;
/** What is done for each text, however short, takes as long as so many characters. */
const CHARS_PER_TEXT = 8;

/**
 * Whether something holds of any text or name that a value has; texts of a list also as the one that their joining
 * makes. Where there are more than can be looked at, the answer is yes: whoever asks says whose words they are, which
 * is never wrong, and a long result must not go by for its length.
 */
export class AnyText {
  readonly #isIt: (text: string) => boolean;
  #left = MOST_LOOKED_AT;

  constructor(isIt: (text: string) => boolean) {
    this.#isIt = isIt;
  }

  isIn(value: unknown): boolean {
    if (typeof value === 'string') return this.#isText(value);
    if (typeof value !== 'object' || value === null) return false;
    if (!Array.isArray(value)) {
      return Object.entries(value).some(([name, each]) => this.#isText(name) || this.isIn(each));
    }
    const texts = value.map((each) => (isRecord(each) ? each.text : undefined));
    const joined = texts.filter((text) => typeof text === 'string');
    return (joined.length > 1 && this.#isText(joined.join(''))) || value.some((each) => this.isIn(each));
  }

  #isText(text: string): boolean {
    this.#left -= text.length + CHARS_PER_TEXT;
    return this.#left < 0 || this.#isIt(text);
  }
}
