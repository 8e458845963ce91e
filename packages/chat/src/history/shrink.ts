import type { ContentBlock, ModelBlock, ModelMessage } from '@nexus/plugin-sdk';
import { cutMiddle } from '@nexus/primitives';
import type { TokenCount } from './token-count.ts';

/** To how many characters a text is cut, by turns, until all fits. */
const STEPS = [8_000, 2_000, 500, 120];
const LEFT_OUT: ContentBlock = { type: 'text', text: '[left out, to fit into the model’s window]' };

/**
 * An exchange that fits into so many tokens: results are cut shorter, the oldest first, then all other texts. Its
 * shape stays, so that no use is parted from its result; where even that is too much, its oldest calls go, each
 * with its results.
 */
export function shrink(
  messages: readonly ModelMessage[],
  maxTokens: number,
  tokens: Pick<TokenCount, 'of'>,
): ModelMessage[] {
  let shrunk = [...messages];
  for (const maxChars of STEPS) {
    for (let at = 0; at < shrunk.length && tokens.of(shrunk) > maxTokens; at += 1) {
      shrunk = shrunk.map((message, index) => (index === at ? cutResults(message, maxChars) : message));
    }
  }
  for (const maxChars of STEPS) {
    if (tokens.of(shrunk) <= maxTokens) break;
    shrunk = shrunk.map((message) => ({
      ...message,
      content: message.content.map((block) => cutBlock(block, maxChars)),
    }));
  }
  // The first is what the user said; after it come a use and its results, by turns.
  while (tokens.of(shrunk) > maxTokens && shrunk.length > 3) shrunk.splice(1, 2);
  return shrunk;
}

function cutResults(message: ModelMessage, maxChars: number): ModelMessage {
  return {
    ...message,
    content: message.content.map((block) =>
      block.type === 'tool_result'
        ? { ...block, content: block.content.map((each) => cutContent(each, maxChars)) }
        : block,
    ),
  };
}

function cutContent(block: ContentBlock, maxChars: number): ContentBlock {
  if (block.type === 'text') return { ...block, text: cutMiddle(block.text, maxChars) };
  return block.type === 'resource_link' ? block : LEFT_OUT;
}

function cutBlock(block: ModelBlock, maxChars: number): ModelBlock {
  if (block.type === 'text' || block.type === 'reasoning')
    return { ...block, text: cutMiddle(block.text, maxChars) };
  if (block.type !== 'tool_use') return block;
  const written = JSON.stringify(block.input);
  return written.length > maxChars ? { ...block, input: { cut: cutMiddle(written, maxChars) } } : block;
}
