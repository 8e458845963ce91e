import { readFileSync } from 'node:fs';
import { isRecord } from '@nexus/core';
import { cutEndCounted, doubledKey, roundedNumbers } from '@nexus/primitives';

type Schema = Readonly<Record<string, unknown>>;

/** What words may stand for beside themselves. */
export interface ArgumentSource {
  /** The tool's `inputSchema`; absent where the tool is not known. */
  readonly schema?: Schema | undefined;
  readFile(path: string): string;
  readStdin(): string;
}

export const argumentFiles: Pick<ArgumentSource, 'readFile' | 'readStdin'> = {
  readFile: (path) => readFileSync(path, 'utf8'),
  readStdin: () => readFileSync(0, 'utf8'),
};

/** How to write them, for faults and for help. */
export const ARGUMENT_FORMS =
  'key=value, key:=<json>, key=@file, one JSON object, @file with one, or - for one on standard input';

/**
 * Arguments as a person types them. In `key=value` the tool's schema says what the value is: text stays text
 * where the schema wants text, `404` too. `key:=<json>` is JSON whatever the schema says, `key=@file` and
 * `key:=@file` take a file's content, a doubled `@@` is an `@` itself.
 * @throws {Error} naming the word that is none of these, the key that has two values, or the file that can't be read
 */
export function callArguments(words: readonly string[], source: ArgumentSource): Record<string, unknown> {
  const [first, ...more] = words;
  if (first === undefined) return {};
  if (more.length === 0 && first === '-') return jsonObject(source.readStdin(), 'standard input');
  if (more.length === 0 && first.startsWith('@')) {
    return jsonObject(readFile(first.slice(1), source), first.slice(1));
  }
  if (more.length === 0 && first.trimStart().startsWith('{')) return jsonObject(first, 'what was given');
  const given = new Map<string, unknown>();
  for (const word of words) {
    const [key, value] = keyValue(word, source);
    if (given.has(key)) throw twice(key, 'what was given');
    given.set(key, value);
  }
  return Object.fromEntries(given);
}

/** Only one of the values would reach the tool, and which one its user can't know. */
function twice(key: string, from: string): Error {
  return new Error(
    `${from} has ${JSON.stringify(key)} twice, and only one of its values would be taken; write it once`,
  );
}

function jsonObject(text: string, from: string): Record<string, unknown> {
  const parsed = parseJson(text, from);
  if (!isRecord(parsed)) throw new Error(`${from} must be a JSON object`);
  return parsed;
}

function parseJson(text: string, from: string): unknown {
  const [rounded] = roundedNumbers(text);
  if (rounded !== undefined) {
    const where = rounded === '' ? from : `${from} at ${rounded}`;
    throw new Error(`${where} is a number that would be rounded; write it as a string, in quotes`);
  }
  const value = jsonIn(text, from);
  const doubled = doubledKey(text);
  if (doubled !== undefined) throw twice(doubled, from);
  return value;
}

function jsonIn(text: string, from: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${from} is no JSON (${(error as Error).message}): ${cutEndCounted(text, 200)}`);
  }
}

function keyValue(word: string, source: ArgumentSource): [string, unknown] {
  const [, key, operator, written] = /^([^=]*?)(:?=)([\s\S]*)$/.exec(word) ?? [];
  if (!key || operator === undefined || written === undefined) {
    throw new Error(`"${word}" is none of: ${ARGUMENT_FORMS}; \`nexus call --help\` has examples`);
  }
  const text = contentOf(written, source);
  if (operator === ':=') return [key, parseJson(text, `the value of ${key}`)];
  return [key, typed(text, key, schemaOf(key, source.schema))];
}

function contentOf(written: string, source: ArgumentSource): string {
  if (written.startsWith('@@')) return written.slice(1);
  return written.startsWith('@') ? readFile(written.slice(1), source) : written;
}

function readFile(path: string, source: ArgumentSource): string {
  try {
    return source.readFile(path);
  } catch (error) {
    throw new Error(`the file "${path}" can't be read: ${(error as Error).message}`);
  }
}

function schemaOf(key: string, schema: Schema | undefined): Schema | undefined {
  const properties = schema?.properties;
  const property = isRecord(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
  return isRecord(property) ? property : undefined;
}

/** Text where the schema takes text; else JSON where it is JSON, since a server is the judge of the rest. */
function typed(text: string, key: string, schema: Schema | undefined): unknown {
  if (schema && takesText(schema)) return text;
  if (!isJson(text) || roundedNumbers(text).length > 0) return text;
  return parseJson(text, `the value of ${key}`);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Says so itself, in a list of types, by its constants, or in one of its alternatives. */
function takesText(schema: Schema): boolean {
  const { type, enum: values, const: constant, anyOf, oneOf } = schema;
  if (type !== undefined) return type === 'string' || (Array.isArray(type) && type.includes('string'));
  if (Array.isArray(values)) return values.every((value) => typeof value === 'string');
  if (constant !== undefined) return typeof constant === 'string';
  const alternatives = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : [];
  return alternatives.some((each) => isRecord(each) && takesText(each));
}
