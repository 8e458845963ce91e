/**
 * Plain JSON, for which no YAML parser has to be loaded.
 * @returns undefined for what is no JSON, or has a key twice in one object: the YAML parser says where and why
 */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  // JSON.parse lets the last of two equal keys win without a word.
  return keysWritten(text) === keysKept(value) ? value : undefined;
}

/** Of text that is known to be JSON: only a key is followed by a colon. */
function keysWritten(text: string): number {
  let count = 0;
  for (const [, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"\s*(:?)/g)) if (colon) count += 1;
  return count;
}

function keysKept(value: unknown): number {
  let count = 0;
  const left = [value];
  while (left.length > 0) {
    const each = left.pop();
    if (typeof each !== 'object' || each === null) continue;
    const inner: unknown[] = Object.values(each);
    if (!Array.isArray(each)) count += inner.length;
    for (const one of inner) left.push(one);
  }
  return count;
}
