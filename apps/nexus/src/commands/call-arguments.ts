import { isRecord } from '@nexus/core';

/**
 * Arguments as a person types them: one JSON object, or `key=value` words whose values are read as JSON
 * where they are JSON and as text elsewhere. A value that must stay text though it looks like a number
 * is written `key="5"`, in quotes that reach the command.
 * @throws {Error} naming the word that is neither
 */
export function callArguments(words: readonly string[]): Record<string, unknown> {
  const [first] = words;
  if (first === undefined) return {};
  if (words.length === 1 && first.trimStart().startsWith('{')) return jsonObject(first);
  return Object.fromEntries(words.map(keyValue));
}

function jsonObject(text: string): Record<string, unknown> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new Error(`the arguments are no JSON (${(error as Error).message}): ${text}`);
  }
  if (!isRecord(parsed)) throw new Error('the arguments must be a JSON object');
  return parsed;
}

function keyValue(word: string): [string, unknown] {
  const split = word.indexOf('=');
  if (split <= 0) throw new Error(`"${word}" is neither key=value nor a JSON object`);
  return [word.slice(0, split), jsonOrText(word.slice(split + 1))];
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
