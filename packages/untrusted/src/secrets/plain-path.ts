/** What names a place, and not what lies there. */
const PLACE_NAME = /[-_](?:path|file|dir)$/i;
const SECRET_WORD = /secret|token|passw|passphrase|key|credential|auth|cookie/i;
const PATH = /^(?:\.{0,2}|~|[A-Za-z]:|\$\{[A-Z_][A-Z0-9_]*\})[/\\][\p{L}\p{N} ._@+~/\\-]*$/u;
/** Of a part of a path. */
const SHORTEST_MIXED = 16;

/** Whether a setting is a path, by its name and by its value: no secret, unless its name says that it is of one. */
export function isPlainPathSetting(name: string, value: string): boolean {
  if (!PLACE_NAME.test(name) || SECRET_WORD.test(name) || !PATH.test(value)) return false;
  return !value.split(/[/\\]/).some(looksRandom);
}

/** Letters and digits mixed without a break, longer than names are: a token may stand in a path. */
function looksRandom(part: string): boolean {
  return part
    .split(/[ ._@+~-]/)
    .some((word) => word.length >= SHORTEST_MIXED && /\d/.test(word) && /\p{L}/u.test(word));
}
