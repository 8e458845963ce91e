import { isDeepStrictEqual } from 'node:util';
import {
  asToolCallResult,
  type ContentBlock,
  LABEL_META_KEY,
  recoveryText,
  TEXT_META_KEY,
  type ToolCallResult,
} from '@nexus/plugin-sdk';
import { z } from 'zod';

type Members = Readonly<Record<string, unknown>>;

export interface ResultOfJob {
  readonly result?: Record<string, unknown>;
  /** Other members of the result, with its `_meta` but for what is told otherwise. */
  readonly besides?: Record<string, unknown>;
  readonly error?: { readonly code: string; readonly message: string; readonly retryable: boolean };
  /** What the call answered and the fields do not say, in its order. */
  readonly blocks: readonly ContentBlock[];
}

const Envelope = z.looseObject({ code: z.string(), message: z.string(), retryable: z.boolean() });

const ERROR_META_KEY = 'nexus/error';
/** What the answer itself has a place for. */
const TOLD: readonly string[] = [ERROR_META_KEY, LABEL_META_KEY, TEXT_META_KEY];

/** All that a call answered, to whom its job tells it. */
export function resultOfJob(answered: ToolCallResult): ResultOfJob {
  const { content, structuredContent, isError, _meta: meta, ...others } = asToolCallResult(answered);
  const spoken = content.find(isPlainText);
  const text = spoken?.text ?? '';
  const isMadeFrom = (block: object) => meta?.[TEXT_META_KEY] === true && block === spoken;
  const isStructure = (block: object) =>
    structuredContent !== undefined && isReadingOf(structuredContent, block, !isError && isMadeFrom(block));
  const isSaid = (block: ContentBlock) =>
    isPlainText(block) &&
    (isStructure(block) || ((structuredContent === undefined || isError === true) && block === spoken));
  const blocks = [...(content as readonly ContentBlock[]).filter((block) => !isSaid(block)), ...notes(meta)];
  const result = structuredContent ?? (isError || !spoken ? undefined : { text });
  const known = Envelope.safeParse(meta?.[ERROR_META_KEY]);
  const isInResult = spoken !== undefined && isStructure(spoken);
  const message = isInResult ? 'The tool answered an error: its result.' : text;
  const error = known.data ?? { code: 'NEXUS_TOOL_FAILED', message, retryable: false };
  const besides = { ...others, ...metaOf(meta) };
  return {
    ...(result && { result: { ...result } }),
    ...(Object.keys(besides).length > 0 && { besides }),
    ...(isError && { error }),
    blocks,
  };
}

/** The first words of a result. */
export function saidBy(answered: ToolCallResult): string | undefined {
  return asToolCallResult(answered).content.find(({ text }) => text)?.text;
}

/** What a text has besides its words, such as for whom it is, would be lost in a field. */
function isPlainText(block: object): boolean {
  return 'type' in block && block.type === 'text' && Object.keys(block).length === 2;
}

function metaOf(meta: Members | undefined) {
  const kept = Object.entries(meta ?? {}).filter(([key]) => !TOLD.includes(key));
  return kept.length === 0 ? {} : { _meta: Object.fromEntries(kept) };
}

/** Whether the text is what the structure says: made from it, or the same as JSON. */
function isReadingOf(structure: unknown, block: object, isMadeFrom: boolean): boolean {
  if (isMadeFrom) return true;
  try {
    return isDeepStrictEqual(
      JSON.parse('text' in block ? String(block.text) : ''),
      JSON.parse(JSON.stringify(structure)),
    );
  } catch {
    return false;
  }
}

/** What of the call's `_meta` a model is told in words. */
function notes(meta: Members | undefined): ContentBlock[] {
  const rounded = meta?.['nexus/rounded'];
  const hasRounded = Array.isArray(rounded) && rounded.length > 0;
  const said = [
    hasRounded ? `Numbers of the result that were rounded: ${rounded.join(', ')}.` : undefined,
    recoveryText(meta),
  ];
  return said.flatMap((text) => (text === undefined ? [] : [{ type: 'text' as const, text }]));
}
