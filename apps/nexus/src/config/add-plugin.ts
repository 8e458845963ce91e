import { isRecord } from '@nexus/core';
import { openDocument, writeDocument } from './config-document.ts';
import { isSeq } from './yaml.ts';

/**
 * Adds a plugin to a config's text. YAML keeps its comments and its order; JSON is written anew.
 * @returns undefined where it is there already
 * @throws {Error} when the text is no config
 */
export function addPlugin(text: string, format: 'json' | 'yaml', specifier: string): string | undefined {
  const document = openDocument(text, format);
  const config: unknown = document.toJS() ?? {};
  const before = isRecord(config) && Array.isArray(config.plugins) ? config.plugins : [];
  if (before.includes(specifier)) return undefined;
  if (isSeq(document.getIn(['plugins']))) document.addIn(['plugins'], specifier);
  else document.setIn(['plugins'], document.createNode([specifier]));
  return writeDocument(document, format, text);
}
