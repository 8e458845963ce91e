import { isRecord } from '@nexus/core';
import { maskText } from '@nexus/untrusted/secrets';
import { hasComments, plainJson } from './plain-json.ts';
import { type Document, isMap, parseDocument } from './yaml.ts';

type Format = 'json' | 'yaml';

/**
 * A config's text, to be changed with its comments and its order kept.
 * @throws {Error} when the text is no config
 */
export function openDocument(text: string, format: Format): Document {
  const bare = text.replace(/^\uFEFF/, '');
  const written = format === 'json' ? plainJson(bare) : bare;
  const document = parseDocument(written.trim() === '' ? '{}' : written);
  const fault =
    document.errors[0]?.message ?? (isRecord(document.toJS() ?? {}) ? undefined : 'it holds no object');
  if (fault !== undefined) throw new Error(`the config must be mended first: ${maskText(fault.trim())}`);
  if (isMap(document.contents) && document.contents.items.length === 0) document.contents.flow = false;
  return document as Document;
}

/** By the file's name. */
export function formatOf(file: string): Format {
  return /\.ya?ml$/i.test(file) ? 'yaml' : 'json';
}

/**
 * JSON is written anew.
 * @param before the text that the document was opened from
 * @throws {Error} where that had comments, which would be lost
 */
export function writeDocument(document: Document, format: Format, before: string): string {
  if (format === 'yaml') return document.toString({ lineWidth: 0 });
  if (hasComments(before)) {
    throw new Error(
      'the config is JSON with comments, which writing it anew would lose; write the change by hand, or keep the config as nexus.config.yaml, whose comments stay',
    );
  }
  return `${JSON.stringify(document.toJS(), null, 2)}\n`;
}
