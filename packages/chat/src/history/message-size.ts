import type { ModelBlock, ModelMessage } from '@nexus/plugin-sdk';

/** On the safe side of what tokenizers make of prose and code. */
const CHARS_PER_TOKEN = 3;
const MEDIA_TOKENS = 1_600;
const BLOCK_TOKENS = 8;

/** An upper bound of a message's tokens. */
function messageTokens({ content }: ModelMessage): number {
  return content.reduce((sum, block) => sum + blockTokens(block), 0);
}

export function historyTokens(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + messageTokens(message), 0);
}

function blockTokens(block: ModelBlock): number {
  if (block.type === 'tool_result')
    return BLOCK_TOKENS + block.content.reduce((sum, each) => sum + blockTokens(each), 0);
  if (block.type === 'image' || block.type === 'audio') return MEDIA_TOKENS;
  const text = block.type === 'text' || block.type === 'reasoning' ? block.text : JSON.stringify(block);
  return BLOCK_TOKENS + Math.ceil(text.length / CHARS_PER_TOKEN);
}
