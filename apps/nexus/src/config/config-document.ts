import { isRecord } from '@nexus/core';
import { maskText } from '@nexus/untrusted/secrets';
import { type Document, isMap, parseDocument } from './yaml.ts';

/**
 * A config's text, to be changed with its comments and its order kept.
 * @throws {Error} when the text is no config
 */
export function openDocument(text: string): Document {
  const document = parseDocument(text.replace(/^\uFEFF/, '').trim() === '' ? '{}' : text);
  const fault =
    document.errors[0]?.message ?? (isRecord(document.toJS() ?? {}) ? undefined : 'it holds no object');
  if (fault !== undefined) throw new Error(`the config must be mended first: ${maskText(fault.trim())}`);
  if (isMap(document.contents) && document.contents.items.length === 0) document.contents.flow = false;
  return document as Document;
}

/** By the file's name. */
export function formatOf(file: string): 'json' | 'yaml' {
  return /\.ya?ml$/i.test(file) ? 'yaml' : 'json';
}

/** JSON is written anew: it has no comments to keep. */
export function writeDocument(document: Document, format: 'json' | 'yaml'): string {
  return format === 'json'
    ? `${JSON.stringify(document.toJS(), null, 2)}\n`
    : document.toString({ lineWidth: 0 });
}
