/**
 * `${VAR}` and `${VAR:-default}`, as Claude Code and others write them. What it does not match (lower case,
 * an unclosed brace, a lone `$`, a default over several lines or of over 1 000 characters) is text.
 */
export const VARIABLE = /\$\{([A-Z_][A-Z0-9_]*)(?::-(.{0,1000}?))?\}/g;

/** The names of all variables in the texts of a value, at any depth. */
export function variablesIn(value: unknown): string[] {
  if (typeof value === 'string') return variableNames(value);
  if (typeof value !== 'object' || value === null) return [];
  return [...new Set(Object.values(value).flatMap(variablesIn))];
}

/** The names of all variables in a text, each once, in the order they first occur; nothing else is parsed. */
export function variableNames(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(VARIABLE), ([, name = '']) => name))];
}
