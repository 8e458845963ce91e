import type { Place } from './fault-places.ts';

/** What is wrong with a text as JSON, in JSON's own words; undefined for JSON. */
export function jsonFault(text: string): { readonly message: string; readonly place: Place } | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const words = (error as Error).message;
    const position = Number(/position (\d+)/.exec(words)?.[1] ?? text.length);
    const message = words.replace(/ (?:in JSON )?at position \d+.*$/s, '');
    const before = text.slice(0, position).split('\n');
    return { message, place: { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 } };
  }
}
