import { isDeepStrictEqual } from 'node:util';
import {
  type ContentBlock,
  fence,
  recoveryText,
  TEXT_META_KEY,
  type ToolCallResult,
  type ToolResult,
  type ToolUse,
} from '@nexus/plugin-sdk';
import { cutMiddle, joinSplitJson } from '@nexus/primitives';

export interface ResultLimits {
  readonly maxChars: number;
  /** Keeps the whole of what is cut, and says where. */
  readonly keep?: ((use: ToolUse, text: string) => Promise<string>) | undefined;
}

/**
 * A tool's result as the model gets it: its texts as one fenced block, cut head and tail; structured content
 * where the text does not say the same; images, audio and files as they are, for the provider to take or to
 * describe.
 */
export async function toToolResult(
  use: ToolUse,
  result: ToolCallResult,
  limits: ResultLimits,
): Promise<ToolResult> {
  const blocks = result.content as readonly ContentBlock[];
  const texts = [...joinSplitJson(blocks.flatMap((block) => textOf(block) ?? []))];
  const structured = result.structuredContent;
  const isSaid = result._meta?.[TEXT_META_KEY] === true && texts.length > 0;
  if (structured && !isSaid && !texts.some((text) => saysTheSame(text, structured)))
    texts.push(JSON.stringify(structured));
  const read = recoveryText(result._meta);
  if (read !== undefined) texts.push(read);
  const whole = texts.join('\n\n');
  const media = blocks.filter((block) => textOf(block) === undefined);
  const text = await shortened(use, whole, limits);
  const content: ContentBlock[] = [];
  if (text !== '' || media.length === 0)
    content.push({
      type: 'text',
      text: text === '' ? 'The tool answered nothing.' : fence(`tool ${use.name}`, text),
    });
  content.push(...media);
  return toolResult(use, content, result.isError === true);
}

/** A result of the loop's own making: the tool was not called, or gave none. */
export function failedResult(use: ToolUse, text: string): ToolResult {
  return toolResult(use, [{ type: 'text', text }], true);
}

function toolResult(use: ToolUse, content: ContentBlock[], isError: boolean): ToolResult {
  return { type: 'tool_result', toolUseId: use.id, content, ...(isError ? { isError } : {}) };
}

async function shortened(use: ToolUse, text: string, { maxChars, keep }: ResultLimits): Promise<string> {
  if (text.length <= maxChars) return text;
  const place = await keep?.(use, text);
  return cutMiddle(text, maxChars, place === undefined ? '' : `; the whole is in ${place}`);
}

/** What of a block is text; undefined for what only some models read. */
function textOf(block: ContentBlock): string | undefined {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource_link': {
      const { name, title, uri, mimeType, description } = block;
      const kind = mimeType === undefined ? '' : ` (${mimeType})`;
      return `Link to ${title ?? name}${kind}: ${uri}${description === undefined ? '' : `\n${description}`}`;
    }
    case 'resource':
      return 'text' in block.resource ? `${block.resource.uri}:\n${block.resource.text}` : undefined;
    case 'image':
    case 'audio':
      return undefined;
    default:
      return `[content of the unknown kind ${JSON.stringify((block as { type: unknown }).type)}, left out]`;
  }
}

function saysTheSame(text: string, structured: unknown): boolean {
  const start = text.trimStart()[0];
  if (start !== '{') return false;
  try {
    return isDeepStrictEqual(JSON.parse(text), JSON.parse(JSON.stringify(structured)));
  } catch {
    return false;
  }
}
