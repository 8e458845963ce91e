import type { ModelBlock, ModelMessage, ModelTool } from '@nexus/plugin-sdk';

/** On the safe side of what tokenizers make of prose and code. */
const CHARS_PER_TOKEN = 3;
/** A large image, as providers count it. */
const IMAGE_TOKENS = 1_600;
const MESSAGE_TOKENS = 4;

/** An upper bound of what a model will read, without any provider's tokenizer. */
export function estimateTokens(request: {
  readonly messages: readonly ModelMessage[];
  readonly system?: string | undefined;
  readonly tools?: readonly ModelTool[];
}): number {
  const told = textTokens(request.system ?? '') + textTokens(JSON.stringify(request.tools ?? []));
  return request.messages.reduce(
    (sum, { content }) => sum + MESSAGE_TOKENS + content.reduce((all, block) => all + blockTokens(block), 0),
    told,
  );
}

export function textTokens(text: string): number {
  return tokensOf(text.length);
}

function blockTokens(block: ModelBlock): number {
  switch (block.type) {
    case 'text':
    case 'reasoning':
      return textTokens(block.text);
    case 'tool_result':
      return MESSAGE_TOKENS + block.content.reduce((sum, each) => sum + blockTokens(each), 0);
    case 'image':
    case 'audio':
      return IMAGE_TOKENS;
    default:
      return textTokens(JSON.stringify(block));
  }
}

export function tokensOf(characters: number): number {
  return Math.ceil(characters / CHARS_PER_TOKEN);
}
