import { isDeepStrictEqual } from 'node:util';
import {
  asToolCallResult,
  type ContentBlock,
  LABEL_META_KEY,
  recoveryText,
  TEXT_META_KEY,
  type ToolCallResult,
} from '@nexus/plugin-sdk';
import { joinSplitJson } from '@nexus/primitives';
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
  const first = content.find(isPlainText);
  const isMadeFrom = (block: object) => !isError && meta?.[TEXT_META_KEY] === true && block === first;
  const isReading = (block: object) =>
    structuredContent !== undefined &&
    isPlainText(block) &&
    isReadingOf(structuredContent, block, isMadeFrom(block));
  const readings = new Set(content.filter(isReading));
  const hasTextField = structuredContent === undefined || isError === true;
  const texts = new Set(
    hasTextField ? content.filter((each) => isPlainText(each) && !readings.has(each)) : [],
  );
  const text = textOf(content, texts);
  const isSaid = (block: ToolCallResult['content'][number]) => readings.has(block) || texts.has(block);
  const blocks = [...(content.filter((block) => !isSaid(block)) as ContentBlock[]), ...notes(meta)];
  const result = structuredContent ?? (isError || texts.size === 0 ? undefined : { text });
  const known = Envelope.safeParse(meta?.[ERROR_META_KEY]).data;
  const untold = readings.size > 0 && texts.size === 0 ? 'The tool answered an error: its result.' : text;
  const error = known
    ? { ...known, message: [known.message, ...[...texts].slice(1).map((each) => each.text)].join('\n') }
    : { code: 'NEXUS_TOOL_FAILED', message: untold, retryable: false };
  const besides = { ...others, ...metaOf(meta) };
  return {
    ...(result && { result: { ...result } }),
    ...(Object.keys(besides).length > 0 && { besides }),
    ...(isError && { error }),
    blocks,
  };
}

/** The texts under one another; what stands between two of them, and is none, has its kind in its place. */
function textOf(content: ToolCallResult['content'], texts: ReadonlySet<object>): string {
  const isText = content.map((block) => texts.has(block));
  const [begin, end] = [isText.indexOf(true), isText.lastIndexOf(true)];
  if (begin === -1) return '';
  const lines = content.slice(begin, end + 1).map((each) => (texts.has(each) ? each.text : `[${each.type}]`));
  return joinSplitJson(lines.map(String)).join('\n');
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
