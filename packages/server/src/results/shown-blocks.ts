import { isRecord } from '@nexus/core';
import type { ToolCallResult } from '@nexus/plugin-sdk';
import { lengthUpTo } from '@nexus/primitives';

export type Block = ToolCallResult['content'][number];

/** Of a picture, a recording or a file: the 1 600 tokens that hosts count for one, of two characters each. */
const MEDIA_CHARS = 3_200;
/** Where that is more than such a part of the limit, each counts so much, so that one is shown wherever it stands. */
const MEDIA_SHARE = 1 / 4;

/** Of a text block, or of a resource that stands in the result; empty for blocks of any other kind. */
export function textOf(block: Block): string {
  const text = block?.type === 'text' ? block.text : resourceOf(block)?.text;
  return typeof text === 'string' ? text : '';
}

export function mimeTypeOf(block: Block): string {
  const { mimeType } = resourceOf(block) ?? {};
  return typeof mimeType === 'string' ? mimeType : 'text/plain';
}

export function withText(block: Block, text: string): Block {
  const resource = resourceOf(block);
  return resource ? ({ ...block, resource: { ...resource, text } } as Block) : { ...block, text };
}

/**
 * What of a block can't be cut and is shown beside its text, in characters: all of a link, the address of a resource,
 * and for a picture what it costs.
 * @param maxChars of the whole result; what is longer has some length beyond it
 */
export function besideText(block: Block, maxChars: number): number {
  const type: unknown = block?.type;
  if (type === 'text') return 0;
  const media = Math.min(MEDIA_CHARS, Math.floor(MEDIA_SHARE * maxChars));
  if (type === 'image' || type === 'audio') return media;
  const resource = resourceOf(block);
  if (!resource) {
    const { _meta, ...shown } = Object(block) as Readonly<Record<string, unknown>>;
    return lengthUpTo(shown, maxChars);
  }
  const { text, blob, _meta, ...address } = resource;
  return lengthUpTo(address, maxChars) + (blob === undefined ? 0 : media);
}

/**
 * A block as its own text where it is longer than any answer though it has none, so that it is cut by its shape, as
 * other JSON is.
 */
export function asCutBlock(block: Block, maxChars: number): Block {
  const isTooLong = besideText(block, maxChars) > maxChars / 2;
  return isTooLong ? ({ type: 'text', text: JSON.stringify(block) } as Block) : block;
}

function resourceOf(block: Block): Readonly<Record<string, unknown>> | undefined {
  // Another server's block may be anything.
  const { type, resource } = Object(block) as Readonly<Record<string, unknown>>;
  return type === 'resource' && isRecord(resource) ? resource : undefined;
}
