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
      // Without a list of its members: it is asked of each message.
      for (const name in value) {
        if (this.#isText(name) || this.isIn((value as Record<string, unknown>)[name])) return true;
      }
      return false;
    }
    if (value.length === 1) return this.isIn(value[0]);
    const texts = value.map((each): unknown => Object(each).text);
    const joined = texts.filter((text) => typeof text === 'string');
    return (joined.length > 1 && this.#isJoined(joined)) || value.some((each) => this.isIn(each));
  }

  #isJoined(texts: readonly string[]): boolean {
    if (this.#isText(texts.join(''))) return true;
    return texts.some(isQuoted) && this.#isText(texts.map(unquoted).join(''));
  }

  #isText(text: string): boolean {
    this.#left -= text.length + CHARS_PER_TEXT;
    return this.#left < 0 || this.#isIt(text);
  }
}

/** Each may be a text of JSON by itself, and be read as that. */
function isQuoted(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.length > 1 && trimmed.startsWith('"') && trimmed.endsWith('"');
}

function unquoted(text: string): string {
  return isQuoted(text) ? text.trim().slice(1, -1) : text;
}
