import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type CallContext,
  defineTool,
  isToolError,
  maxLineChars,
  NORMALIZED_META_KEY,
  readRelayedCall,
  recoveryText,
  TEXT_META_KEY,
} from '@nexus/plugin-sdk';
import {
  attributionIn,
  type PartWanted,
  partOfResult,
  partThatFits,
  pathFault,
  roundedNumbers,
  writtenText,
  writtenWholeOf,
} from '@nexus/primitives';
import { z } from 'zod';
import { type Done, OpAnswer, OpError, thatFit } from './answers/bundled.ts';
import { isSaidBy, roundedNote, shownBlock, shownContent } from './answers/shown-content.ts';

const NAME = 'bundle';

type Op = Readonly<Record<string, unknown>> & { readonly tool: string };

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
          // Any value passes here, as in use_tool: a tool may have an argument of that name.
          pick: z
            .unknown()
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
    const whole = await thatFit(done, context);
    const results = whole.map(({ answer }) => answer);
    return {
      content: [{ type: 'text' as const, text: whole.map(({ text }) => text).join('\n\n') }],
      structuredContent: { results, failed: results.filter((each) => each.error).length },
      _meta: { [TEXT_META_KEY]: true as const },
    };
  },
});

async function runOp(op: Op, index: number, context: CallContext): Promise<Done> {
  const { tool } = op;
  const { tools } = context;
  try {
    const named = await reached(tool, context);
    const refusal = whyNot(tool, named.isReadOnly);
    if (refusal) return failed(op, index, { ...INVALID, message: refusal });
    const { tool: _, ...beside } = op;
    // A tool that there is not says so itself, whatever was to be taken of it.
    const { part, params } = tools.find(named.name)
      ? await readRelayedCall(named.name, beside, { by: NAME, takes: TAKES, pathFault, tools })
      : { part: undefined, params: beside };
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
    if (!isError && part) {
      const of = writtenWholeOf(result) ?? whole;
      const whose = attributionIn(content);
      const take = (room: number) => picked({ tool, part, recovered, room, context, whose }, of);
      const taken = await take(Number.POSITIVE_INFINITY);
      // A text that was read for it has all digits.
      const also = joined([of === structuredContent ? rounded : undefined, read], '\n');
      const saying = (done: Done) => (also === '' ? done : { ...done, text: `${done.text}\n${also}` });
      return {
        ...saying(taken),
        inRoom: async (room) => saying(await take(room - also.length - (whose?.length ?? 0))),
      };
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
    if (isToolError(error) && error.code === INVALID.code) {
      return failed(op, index, { ...INVALID, message: error.message });
    }
    // A protocol error, as the same call alone would have got.
    const message = error instanceof Error ? error.message : String(error);
    const { code = UNTOLD_CODE, data } = Object(error) as { code?: unknown; data?: unknown };
    const known = { code: String(code), category: 'protocol', retryable: false, message };
    return failed(op, index, data === undefined ? known : { ...known, data });
  }
}

interface Picking {
  readonly tool: string;
  readonly part: PartWanted;
  readonly recovered: object;
  /** What is said of whose words it is in, where it sounds like Nexus. */
  readonly whose: string | undefined;
  /** In characters. */
  readonly room: number;
  readonly context: CallContext;
}

/** A part of a result, as much as has room; where it has none of what is wanted, why, since all of it was not. */
async function picked(
  { tool, part, recovered, room, context, whose }: Picking,
  whole: unknown,
): Promise<Done> {
  const taken = await partThatFits({
    wanted: { ...part, maxLineChars: maxLineChars(context.host.results) },
    take: (each) => partOfResult(whole, each),
    room,
    whereWhole: async () => (await context.host.results.keep(writtenText(whole), 'text/plain', context)).uri,
  });
  if ('fault' in taken) return { answer: { tool, leftOut: taken.fault, ...recovered }, text: taken.fault };
  const { value, notes, text: shown } = taken;
  // What a structure would round is told as its text.
  const isText = shown === value || roundedNumbers(shown).length > 0;
  return {
    answer: {
      tool,
      result: isText ? shown : JSON.parse(shown),
      ...(notes.length === 0 ? {} : { leftOut: notes.join(' ') }),
      ...recovered,
    },
    text: [...(whose === undefined ? [] : [whose]), ...notes, shown].join('\n'),
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
/** Of one op, in words. */
const TAKES = 'tool, arguments, pick, offset and limit';

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
