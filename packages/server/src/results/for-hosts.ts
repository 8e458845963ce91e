import { ERROR_META_KEY, isRecord } from '@nexus/core';
import { recoveryText, type ToolCallResult } from '@nexus/plugin-sdk';

type Block = ToolCallResult['content'][number];

/**
 * A result as hosts show it to their models: some print all of it as JSON, so that an error's message is said once,
 * in its text; and some show no picture, so that one never stands without a word. What `_meta` says of arguments that
 * were not taken as they came, a line says too.
 */
export function forHosts(result: ToolCallResult): ToolCallResult {
  const { content, isError } = result;
  if (!Array.isArray(content)) return result;
  const said = isError === true ? withMessageOnce(result) : result;
  const shown =
    content.some(isPicture) && !content.some(isText)
      ? content.flatMap((block) => (isPicture(block) ? [named(block), block] : [block]))
      : content;
  const read = recoveryText(result._meta);
  if (read !== undefined) return { ...said, content: [...shown, { type: 'text', text: read }] };
  return shown === content ? said : { ...said, content: shown };
}

function withMessageOnce(result: ToolCallResult): ToolCallResult {
  const envelope = result._meta?.[ERROR_META_KEY];
  if (!isRecord(envelope) || !('message' in envelope)) return result;
  const { message, ...rest } = envelope;
  const isSaid = result.content.some((block) => isText(block) && block.text === message);
  return isSaid ? { ...result, _meta: { ...result._meta, [ERROR_META_KEY]: rest } } : result;
}

// Another server's block may be anything.
function isText(block: Block): block is Block & { readonly text: unknown } {
  return Object(block).type === 'text';
}

function isPicture(block: Block): boolean {
  return Object(block).type === 'image';
}

function named(block: Block): Block {
  const { mimeType, data } = Object(block) as { readonly mimeType?: unknown; readonly data?: unknown };
  const kind = typeof mimeType === 'string' ? mimeType : 'of no stated type';
  const bytes = typeof data === 'string' ? Buffer.byteLength(data, 'base64') : 0;
  return { type: 'text', text: `[a picture: ${kind}, ${bytes} bytes]` };
}
