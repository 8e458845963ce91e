/** Deeper JSON than any real message, and shallow enough for every recursive reader behind this one. */
export const MAX_DEPTH = 1000;
/** Of one object: each new name is hashed, and looked up again by every reader. So many take some 30 ms each time. */
const MAX_MEMBERS = 50_000;
/** Each is made anew, walked by whoever reads it and written again: 150 000 rows or blocks of content take some 130 ms in all. */
const MAX_CONTAINERS = 150_000;
/** A million numbers take about as long. */
const MAX_VALUES = 1_000_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Why a JSON text from outside is not read, after the name of what it is; undefined where it may be. Looks before
 * parsing: a few megabytes of `[` or of names keep `JSON.parse`, and whoever reads what it gives, busy for seconds.
 */
export function boundsFault(text: string, { maxMembers = MAX_MEMBERS } = {}): string | undefined {
  if (text.length <= MAX_DEPTH) return undefined;
  let depth = 0;
  const members = [0];
  let values = 0;
  let containers = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
    } else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      values += 1;
      containers += 1;
      members[depth] = 0;
      if (depth > MAX_DEPTH) return `is nested more than ${MAX_DEPTH} levels deep`;
    } else if (code === 0x5d || code === 0x7d) {
      depth -= 1;
    } else if (code === 0x2c) {
      values += 1;
    } else if (code === 0x3a) {
      const count = (members[depth] ?? 0) + 1;
      members[depth] = count;
      if (count > maxMembers) return `holds an object of more than ${maxMembers} members`;
    }
    if (containers > MAX_CONTAINERS) return `holds more than ${MAX_CONTAINERS} objects and arrays`;
    if (values > MAX_VALUES) return `holds more than ${MAX_VALUES} values`;
  }
  return undefined;
}

export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1;
  return backslashes % 2 === 1;
}
