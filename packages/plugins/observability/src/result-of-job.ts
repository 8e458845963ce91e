import { isDeepStrictEqual } from 'node:util';
import { asToolCallResult, type ContentBlock, TEXT_META_KEY, type ToolCallResult } from '@nexus/plugin-sdk';
import { z } from 'zod';

export interface ResultOfJob {
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: string; readonly message: string; readonly retryable: boolean };
  /** What the call answered and the fields do not say, in its order. */
  readonly blocks: readonly ContentBlock[];
}

const Envelope = z.object({ code: z.string(), message: z.string(), retryable: z.boolean() });

/** All that a call answered, to whom its job tells it. */
export function resultOfJob(answered: ToolCallResult): ResultOfJob {
  const { content, structuredContent, isError, _meta: meta } = asToolCallResult(answered);
  const spoken = content.find(({ type }) => type === 'text');
  const text = spoken?.text ?? '';
  const isSaid = (block: ContentBlock) =>
    block.type === 'text' &&
    (structuredContent === undefined || isError
      ? block === spoken
      : isReadingOf(structuredContent, block, meta?.[TEXT_META_KEY] === true && block === spoken));
  const blocks = [
    ...(content as readonly ContentBlock[]).filter((block) => !isSaid(block)),
    ...roundedNote(meta),
  ];
  const result = structuredContent ?? (isError || !spoken ? undefined : { text });
  const known = Envelope.safeParse(meta?.['nexus/error']);
  const error = known.data ?? { code: 'NEXUS_TOOL_FAILED', message: text, retryable: false };
  return {
    ...(result && { result: { ...result } }),
    ...(isError && { error }),
    blocks,
  };
}

/** Whether the text is what the structure says: made from it, or the same as JSON. */
function isReadingOf(
  structure: unknown,
  { text }: { readonly text?: unknown },
  isMadeFrom: boolean,
): boolean {
  if (isMadeFrom) return true;
  try {
    return isDeepStrictEqual(JSON.parse(String(text)), JSON.parse(JSON.stringify(structure)));
  } catch {
    return false;
  }
}

/** A job's result has no `_meta` of its own to say it in. */
function roundedNote(meta: Readonly<Record<string, unknown>> | undefined): ContentBlock[] {
  const rounded = meta?.['nexus/rounded'];
  if (!Array.isArray(rounded) || rounded.length === 0) return [];
  return [{ type: 'text', text: `Numbers of the result that were rounded: ${rounded.join(', ')}.` }];
}
