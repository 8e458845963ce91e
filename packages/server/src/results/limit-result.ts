import { isRecord } from '@nexus/core';
import type { ToolCallResult } from '@nexus/plugin-sdk';
import { cutText } from './cut-text.ts';
import type { KeptText } from './kept-results.ts';
import { shareOut } from './share-out.ts';

type Block = ToolCallResult['content'][number];

export interface ResultLimit {
  readonly maxChars: number;
  /** Puts a text where the client can read it. */
  keep(text: string, mimeType: string): KeptText;
  /** Whether the client's protocol has `resource_link` (MCP 2025-06-18 on); others refuse the whole result. */
  readonly knowsLinks: boolean;
  /** Whether the tool is listed with an output schema; asked only of a result that is too long. */
  hasOutputSchema(): boolean;
}

/**
 * A result whose text is too long for a host's model, cut to the head and tail of its long texts; the whole
 * of each is kept, named in the text and linked. Any other result is returned as it is.
 *
 * `structuredContent` is never cut. A listed output schema promises it whole; without one it is left out
 * where it alone would be too long, and kept as a text is.
 */
export function limitResult(result: ToolCallResult, limit: ResultLimit): ToolCallResult {
  if (!Array.isArray(result.content)) return result;
  const texts = result.content.map(textOf);
  const total = texts.reduce((sum, text) => sum + text.length, 0);
  if (total <= limit.maxChars) return result;
  const kept: KeptText[] = [];
  const shares = shareOut(
    texts.map((text) => text.length),
    limit.maxChars,
  );
  const content = result.content.map((block, index) => {
    const text = texts[index] ?? '';
    const share = shares[index] ?? 0;
    if (text.length === share) return block;
    const whole = limit.keep(text, mimeTypeOf(block));
    kept.push(whole);
    return withText(block, cutText(text, share, whole.uri));
  });
  const { structuredContent, ...rest } = result;
  const serialised = limit.hasOutputSchema() ? '' : (JSON.stringify(structuredContent) ?? '');
  const isTooLong = serialised.length > limit.maxChars;
  if (isTooLong && !texts.includes(serialised)) kept.push(limit.keep(serialised, 'application/json'));
  return {
    ...rest,
    content: limit.knowsLinks ? [...content, ...kept.map(toLink)] : content,
    ...(isTooLong || structuredContent === undefined ? {} : { structuredContent }),
  };
}

/** Of a text block, or of a resource that stands in the result; empty for blocks of any other kind. */
function textOf(block: Block): string {
  const text = block?.type === 'text' ? block.text : resourceOf(block)?.text;
  return typeof text === 'string' ? text : '';
}

function mimeTypeOf(block: Block): string {
  const { mimeType } = resourceOf(block) ?? {};
  return typeof mimeType === 'string' ? mimeType : 'text/plain';
}

function withText(block: Block, text: string): Block {
  const resource = resourceOf(block);
  return resource ? ({ ...block, resource: { ...resource, text } } as Block) : { ...block, text };
}

function resourceOf(block: Block): Readonly<Record<string, unknown>> | undefined {
  const { type, resource } = { ...block } as Readonly<Record<string, unknown>>;
  return type === 'resource' && isRecord(resource) ? resource : undefined;
}

function toLink({ uri, mimeType, text }: KeptText): Block {
  return {
    type: 'resource_link',
    uri,
    name: 'whole-result',
    title: 'The whole text',
    description: `All ${text.length} characters; readable in this session.`,
    mimeType,
    size: Buffer.byteLength(text),
  } as Block;
}
