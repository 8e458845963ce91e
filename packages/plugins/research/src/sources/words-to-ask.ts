import { ToolError } from '@nexus/plugin-sdk';

const MOST = 12;

/**
 * Words of a topic, without what would be an operator of a source's own language.
 * @throws {ToolError} NEXUS_INVALID_ARGUMENTS where there is none
 */
export function wordsToAsk(topic: string): string[] {
  const plain = wordsOf(topic);
  if (plain.length > 0) return plain.slice(0, MOST);
  throw new ToolError('NEXUS_INVALID_ARGUMENTS', `${JSON.stringify(topic)} has no word to search for.`);
}

/** What is to be said where a topic has more words than a source is asked for. */
export function noteOnWords(topic: string): { readonly note?: string } {
  const { length } = wordsOf(topic);
  if (length <= MOST) return {};
  return { note: `the topic has ${length} words, and was asked for by its first ${MOST}; say it in fewer` };
}

function wordsOf(topic: string): string[] {
  const words = topic.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !/^(?:AND|OR|NOT|ANDNOT)$/.test(word));
}
