import { isDeepStrictEqual } from 'node:util';
import { apartFromAttribution } from '../cutting/own-words.ts';
import { boundsFault } from '../json-bounds.ts';
import { mayWriteOtherwise, parseWritten } from '../written-json.ts';

/** Whether a text begins as an object or a list of JSON does. */
export function mayBeJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

/** What a text says: its JSON, where it is an object or a list of that, or the text itself. */
export function readResult(text: string): unknown {
  if (!mayBeJson(text) || boundsFault(text) !== undefined) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/**
 * The texts of a result's blocks, to be shown under one another: JSON that its server split between blocks is one text
 * again. Any other blocks are apart, which a text joined by nothing would not show.
 */
export function joinSplitJson(texts: readonly string[]): readonly string[] {
  const [first, second] = texts;
  if (first === undefined || second === undefined || !/^\s*[[{]/.test(first)) return texts;
  if (typeof readResult(first) !== 'string') return texts;
  const whole = texts.join('');
  return typeof readResult(whole) === 'string' ? texts : [whole];
}

/**
 * What a tool's result says, to take parts of or to look at: its structure, or what its only text says; undefined where
 * it has neither. A structure that only holds that text, as servers have it that answer a text under a schema, is read
 * for what the text says, where that is JSON.
 */
export function wholeOf({ content, structuredContent }: AnyResult): unknown {
  const only = onlyText(content);
  if (only === undefined) return structuredContent;
  if (structuredContent === undefined) return readResult(only);
  if (!holdsOnly(structuredContent, only)) return structuredContent;
  const said = readResult(only);
  return typeof said === 'string' ? structuredContent : said;
}

/** The same, in which each number keeps how it was written, as far as a text of the result says it: see `parseWritten`. */
export function writtenWholeOf(result: AnyResult): unknown {
  const whole = wholeOf(result);
  const text = onlyText(result.content);
  if (text === undefined || typeof whole === 'string' || !mayWriteOtherwise(text)) return whole;
  const plain = readResult(text);
  return typeof plain !== 'string' && isDeepStrictEqual(plain, whole) ? parseWritten(text) : whole;
}

function onlyText(content: unknown): string | undefined {
  const blocks = Array.isArray(content) ? apartFromAttribution(content).content.filter(isText) : [];
  const [only, other] = joinSplitJson(blocks.map(({ text }) => text));
  return other === undefined ? only : undefined;
}

function holdsOnly(structure: unknown, text: string): boolean {
  const members = typeof structure === 'object' && structure !== null ? Object.values(structure) : [];
  return members.length === 1 && members[0] === text;
}

/** As another server sent it. */
interface AnyResult {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
}

function isText(block: unknown): block is { readonly text: string } {
  const { type, text } = Object(block) as { readonly type?: unknown; readonly text?: unknown };
  return type === 'text' && typeof text === 'string';
}
