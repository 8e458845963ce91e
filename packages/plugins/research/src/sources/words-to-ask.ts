import { ToolError } from '@nexus/plugin-sdk';

const MOST = 12;

/**
 * Words of a topic, without what would be an operator of a source's own language.
 * @throws {ToolError} NEXUS_INVALID_ARGUMENTS where there is none
 */
export function wordsToAsk(topic: string): string[] {
  const words = topic.match(/[\p{L}\p{N}]+/gu) ?? [];
  const plain = words.filter((word) => !/^(?:AND|OR|NOT|ANDNOT)$/.test(word));
  if (plain.length > 0) return plain.slice(0, MOST);
  throw new ToolError('NEXUS_INVALID_ARGUMENTS', `${JSON.stringify(topic)} has no word to search for.`);
}
