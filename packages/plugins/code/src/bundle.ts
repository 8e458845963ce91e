import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type CallContext,
  defineTool,
  NORMALIZED_META_KEY,
  recoveryText,
  TEXT_META_KEY,
} from '@nexus/plugin-sdk';
import { cutEnd, partOf, pathFault, roundedNumbers, writtenJson, writtenWholeOf } from '@nexus/primitives';
import { z } from 'zod';
import { fairShares } from './answers/fair-shares.ts';
import { lengthOf, MAX_TEXT_CHARACTERS } from './answers/fitting.ts';
import { isSaidBy, roundedNote, shownBlock, shownContent } from './answers/shown-content.ts';

const NAME = 'bundle';

/** As `_meta["nexus/error"]` has it: category, whether a retry helps and detail besides. */
const OpError = z.looseObject({ code: z.string(), message: z.string() });

const OpAnswer = z.object({
  tool: z.string(),
  result: z
    .unknown()
    .optional()
    .describe('The structure, or else the text; of too large a one, its first lines.'),
  leftOut: z.string().optional().describe('What is left out, and why.'),
  error: OpError.optional(),
  normalized: z.unknown().optional(),
});

type OpAnswer = z.input<typeof OpAnswer>;
type Op = Readonly<Record<string, unknown>> & { readonly tool: string };

const path = z.string().max(500);
const PICK = z.union([path, z.array(path).max(20)]).nullish();

export const bundle = defineTool({
  name: NAME,
  title: 'Bundle read-only calls',
  description:
    'Run up to 20 calls of read-only tools in parallel, in one round trip. Gives each op’s result or error, in order, and says what did not fit.',
  input: z.object({
    ops: z
      .array(
        z.looseObject({
          tool: z.string().max(300).describe('A read-only tool; of a toolbox, toolbox__server__tool.'),
          arguments: z.unknown().optional().describe('Its arguments, an object; or inline beside tool.'),
          // One path is taken for a list of one, as use_tool does.
          pick: z
            .unknown()
            .refine((value) => PICK.safeParse(value).success, 'must be a list of at most 20 paths')
            .optional()
            .meta({
              type: 'array',
              items: { type: 'string', maxLength: 500 },
              maxItems: 20,
              description: 'Only these parts, as use_tool takes them.',
            }),
        }),
      )
      .min(1)
      .max(20)
      .describe('The calls.')
      .meta({ examples: [[{ tool: 'search_codebase', arguments: { query: 'createServer' } }]] }),
  }),
  output: z.object({
    content: z.array(z.object({ type: z.literal('text'), text: z.string() })),
    structuredContent: z.object({ results: z.array(OpAnswer), failed: z.number() }),
    _meta: z.object({ [TEXT_META_KEY]: z.literal(true) }),
  }),
  // What it calls may be a tool of a toolbox that reads the web.
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  isConduit: true,
  // What it calls brings a label of its own.
  label: { trust: 'trusted' },
  isListedWhenLean: true,
  budget: 'interactive',
  answersWholeResult: true,
  async call({ ops }, context: CallContext) {
    const begun: Promise<Done>[] = [];
    for (const [index, op] of ops.entries()) {
      begun.push(runOp(op, index, context));
      // Each call's arguments are read in one stretch; others have their turn in between.
      await nextTurn();
    }
    const done = await Promise.all(begun);
    context.signal.throwIfAborted();
    const whole = thatFit(done);
    const results = whole.map(({ answer }) => answer);
    return {
      content: [{ type: 'text' as const, text: whole.map(({ text }) => text).join('\n\n') }],
      structuredContent: { results, failed: results.filter((each) => each.error).length },
      _meta: { [TEXT_META_KEY]: true as const },
    };
  },
});

interface Done {
  readonly answer: OpAnswer;
  /** As a model reads it. */
  readonly text: string;
}

/** All results in their order: of one that is larger than its fair share of the room, as many lines as it holds. */
function thatFit(done: readonly Done[]): Done[] {
  const sizes = done.map(({ answer, text }) => text.length + lengthOf(answer));
  const shares = fairShares(sizes, 2 * MAX_TEXT_CHARACTERS);
  return done.map(({ answer, text }, at) => {
    const { tool } = answer;
    const room = shares[at] ?? 0;
    // One alone is as large as its tool makes it.
    if (done.length === 1 || (sizes[at] ?? 0) <= room) return { answer, text: headed(at, tool, text) };
    const { result: _, error, leftOut: before, ...rest } = answer;
    const begun = beginningOf(
      text,
      room - ROOM_TO_SAY_SO - (before === undefined ? 0 : 2 * lengthOf(before)),
    );
    const unfit = `${text.length - begun.length} of its ${text.length} characters do not fit beside the others: call ${tool} alone, or for less.`;
    const leftOut = before === undefined ? unfit : `${unfit} ${before}`;
    const part = error ? { error: { code: error.code, message: begun } } : { result: begun };
    return { answer: { ...rest, ...part, leftOut }, text: headed(at, tool, `${begun}\n[… ${leftOut}]`) };
  });
}

/** What says that something is left out, twice. */
const ROOM_TO_SAY_SO = 800;

/** The first lines, each whole, that fit as text and as JSON together; of a first one that does not, its beginning. */
function beginningOf(text: string, room: number): string {
  let end = 0;
  let left = room;
  while (end < text.length) {
    const newline = text.indexOf('\n', end);
    const next = newline < 0 ? text.length : newline + 1;
    left -= next - end + lengthOf(text.slice(end, next));
    if (left < 0) break;
    end = next;
  }
  if (end > 0) return text.slice(0, end).trimEnd();
  let begun = text.slice(0, Math.floor(room / 2));
  while (begun.length + lengthOf(begun) > room) begun = begun.slice(0, Math.floor(begun.length * 0.8));
  return cutEnd(text, begun.length).slice(0, -1);
}

function headed(at: number, tool: string, text: string): string {
  return `## ${at + 1}. ${tool}\n${text}`;
}

async function runOp(op: Op, index: number, context: CallContext): Promise<Done> {
  const { tool } = op;
  const { tools } = context;
  const pick = typeof op.pick === 'string' ? [op.pick] : ((op.pick ?? []) as readonly string[]); // as its schema has it
  try {
    const named = await reached(tool, context);
    const refusal = whyNot(tool, named.isReadOnly) ?? pathFault(pick);
    if (refusal) return failed(op, index, { ...INVALID, message: refusal });
    const { tool: _, pick: __, ...params } = op;
    const result = await tools.call(named.name, params);
    const { structuredContent, content, isError, _meta: meta } = result;
    const normalized = meta?.[NORMALIZED_META_KEY];
    const recovered = normalized === undefined ? {} : { normalized };
    const { text: whole, metaNote, lacks } = shownContent(result, tool);
    const read = recoveryText(meta);
    const rounded = roundedNote(meta);
    const joined = (texts: readonly (string | undefined)[], between: string) =>
      texts.filter((each) => each !== undefined).join(between);
    const text = joined([whole, metaNote, rounded, read], '\n');
    const left = joined([lacks, rounded], ' ');
    const untold = left === '' ? {} : { leftOut: left };
    if (!isError && pick.length > 0) {
      const of = writtenWholeOf(result) ?? whole;
      const part = picked({ tool, pick, recovered }, of);
      // A text that was read for it has all digits.
      const also = joined([of === structuredContent ? rounded : undefined, read], '\n');
      return also === '' ? part : { ...part, text: `${part.text}\n${also}` };
    }
    if (!isError)
      return { answer: { tool, result: structuredContent ?? whole, ...recovered, ...untold }, text };
    const envelope = OpError.safeParse(meta?.['nexus/error']).data;
    const structure = structuredContent && !isSaidBy(whole, structuredContent) ? { structuredContent } : {};
    const others = envelope === undefined ? [] : content.filter(({ type }) => type !== 'text');
    const message = [envelope?.message ?? text, ...others.map((block) => shownBlock(block, tool))].join('\n');
    const fault = failed(op, index, { ...(envelope ?? FAILED), message, ...structure });
    return { ...fault, answer: { ...fault.answer, ...recovered, ...untold } };
  } catch (error) {
    // A protocol error, as the same call alone would have got.
    const message = error instanceof Error ? error.message : String(error);
    const { code = UNTOLD_CODE, data } = Object(error) as { code?: unknown; data?: unknown };
    const known = { code: String(code), category: 'protocol', retryable: false, message };
    return failed(op, index, data === undefined ? known : { ...known, data });
  }
}

/** A part of a result; where it has none of what is wanted, why, since all of it was not. */
function picked(
  { tool, pick, recovered }: { tool: string; pick: readonly string[]; recovered: object },
  whole: unknown,
): Done {
  const part = partOf(whole, { paths: pick });
  if ('fault' in part) return { answer: { tool, leftOut: part.fault, ...recovered }, text: part.fault };
  const { value, notes } = part;
  const json = writtenJson(value);
  return {
    // What a structure would round is told as its text.
    answer: { tool, result: roundedNumbers(json).length > 0 ? json : JSON.parse(json), ...recovered },
    text: [...notes, json].join('\n'),
  };
}

/** A tool by the name that it is called by; one of a toolbox that is not open is made callable, if it only reads. */
async function reached(
  tool: string,
  context: CallContext,
): Promise<{ readonly name: string; readonly isReadOnly: boolean | undefined }> {
  const { tools, host } = context;
  const known = tools.find(tool);
  if (known || !tool.includes('__')) return { name: tool, isReadOnly: known?.annotations.readOnlyHint };
  const catalogue = await host.toolboxes.catalogue(context);
  const behind =
    catalogue.tools.find(({ registeredName }) => registeredName === tool) ??
    catalogue.tools.find((each) => [each.toolbox, each.server, each.tool].join('__') === tool);
  const isReadOnly = behind?.hints.readOnlyHint;
  return { name: behind && isReadOnly ? await host.toolboxes.reach(behind, context) : tool, isReadOnly };
}

const INVALID = { code: 'NEXUS_INVALID_ARGUMENTS', category: 'validation', retryable: false };
/** A downstream server's error carries no envelope of ours. */
const FAILED = { code: 'NEXUS_TOOL_FAILED', category: 'business', retryable: false };
/** Of what was thrown and says no code. */
const UNTOLD_CODE = 'NEXUS_UNAVAILABLE';

function whyNot(tool: string, isReadOnly: boolean | undefined): string | undefined {
  if (tool === NAME) return 'a bundle holds no bundle; put the ops of the inner one beside the others.';
  if (isReadOnly === false) return `${tool} is not read-only; call it directly, outside a bundle.`;
  return undefined;
}

function failed({ tool }: Op, index: number, error: z.input<typeof OpError>): Done {
  const message = `sub-op ${index} (${tool}): ${error.message}`;
  const also = [error.structuredContent, error.data].flatMap((each) =>
    each === undefined ? [] : [JSON.stringify(each)],
  );
  const text = [`${error.code}: ${error.message}`, ...also].join('\n');
  return { answer: { tool, error: { ...error, message } }, text };
}
