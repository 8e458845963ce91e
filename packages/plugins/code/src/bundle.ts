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
  type ToolCallResult,
} from '@nexus/plugin-sdk';
import {
  apartFromAttribution,
  type PartWanted,
  partOfResult,
  partThatFits,
  pathFault,
  roundedNumbers,
  writtenText,
  writtenWholeOf,
} from '@nexus/primitives';
import { z } from 'zod';
import { bundled } from './answers/bundled.ts';
import { type Done, headed, OpAnswer, OpError } from './answers/done.ts';
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
    structuredContent: z.object({
      results: z.array(OpAnswer),
      failed: z.number(),
      total: z.int().optional().describe('Of ops, where not all have room.'),
      rest: z.string().optional().describe('The results of the ops behind, by read_result.'),
    }),
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
    const { done: shown, rest } = await bundled(done, context);
    const results = shown.map(({ answer }) => answer);
    const said = [...shown.map(headed), ...(rest ? [`[… ${rest.text}]`] : [])];
    return {
      content: [{ type: 'text' as const, text: said.join('\n\n') }],
      structuredContent: {
        results,
        failed: done.filter(({ answer }) => answer.error).length,
        ...(rest && { total: done.length, rest: rest.uri }),
      },
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
    const from = offsetOf({ params, name: named.name }, context);
    return await told(await tools.call(named.name, params), { op, index, part, from, context });
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

interface Called {
  readonly op: Op;
  readonly index: number;
  readonly part: PartWanted | undefined;
  readonly from: Pick<Done, 'offset'>;
  readonly context: CallContext;
}

/** What came of a call, as the bundle tells it. */
async function told(result: ToolCallResult, { op, index, part, from, context }: Called): Promise<Done> {
  const { tool } = op;
  const { structuredContent, isError, _meta: meta } = result;
  const { whose, content } = apartFromAttribution(result.content);
  const shown = shownContent({ ...result, content: [...content] }, tool);
  const rounded = roundedNote(meta);
  const read = recoveryText(meta);
  const normalized = meta?.[NORMALIZED_META_KEY];
  const author = whose === undefined ? {} : { whose };
  const also = { ...author, ...(normalized === undefined ? {} : { normalized }) };
  const lacks = [shown.lacks, rounded].filter((each) => each !== undefined);
  const untold = lacks.length === 0 ? {} : { leftOut: lacks.join(' ') };
  const after = [shown.metaNote, rounded, read].filter((each) => each !== undefined);
  if (isError) {
    const envelope = OpError.safeParse(meta?.['nexus/error']).data;
    const structure =
      structuredContent && !isSaidBy(shown.text, structuredContent) ? { structuredContent } : {};
    const others = envelope === undefined ? [] : content.filter(({ type }) => type !== 'text');
    const said = envelope?.message ?? [shown.text, ...after].join('\n');
    const message = [said, ...others.map((block) => shownBlock(block, tool))].join('\n');
    const fault = failed(op, index, { ...(envelope ?? FAILED), message, ...structure });
    return { ...fault, answer: { ...fault.answer, ...also, ...untold } };
  }
  if (!part) {
    const text = shown.text === '' && structuredContent ? JSON.stringify(structuredContent) : shown.text;
    const answer = { tool, result: structuredContent ?? text, ...also, ...untold };
    return { answer, text, after, ...from };
  }
  const of = writtenWholeOf(result) ?? shown.text;
  // A text that was read for it has all digits.
  const notes = [of === structuredContent ? rounded : undefined, read].filter((each) => each !== undefined);
  const take = (room: number) =>
    picked(of, { tool, part, room, context, also: { whose, normalized }, after: notes });
  return {
    ...(await take(Number.POSITIVE_INFINITY)),
    inRoom: (room) => take(room - notes.join('\n').length),
  };
}

/** Where the list begins that a call asked for, of a tool that takes that; a number as text is one, as the tool reads it. */
function offsetOf(
  { params, name }: { readonly params: Readonly<Record<string, unknown>>; readonly name: string },
  { tools }: CallContext,
): { readonly offset?: number } {
  const { properties } = tools.find(name)?.inputSchema ?? {};
  if (!Object.hasOwn(Object(properties), 'offset')) return {};
  const { arguments: sent, args } = params;
  const { offset } = { ...params, ...Object(args), ...Object(sent) } as { readonly offset?: unknown };
  const from = Number(offset ?? 0);
  return Number.isSafeInteger(from) && from >= 0 ? { offset: from } : {};
}

interface Picking {
  readonly tool: string;
  readonly part: PartWanted;
  /** What is told of the whole besides. */
  readonly also: Pick<Done['answer'], 'whose' | 'normalized'>;
  readonly after: readonly string[];
  /** In characters. */
  readonly room: number;
  readonly context: CallContext;
}

/** A part of a result, as much as has room; where it has none of what is wanted, why, since all of it was not. */
async function picked(whole: unknown, { tool, part, also, after, room, context }: Picking): Promise<Done> {
  const { whose } = also;
  const taken = await partThatFits({
    wanted: { ...part, maxLineChars: maxLineChars(context.host.results) },
    take: (each) => partOfResult(whole, each),
    room,
    whereWhole: async () =>
      (await context.host.results.keep({ text: writtenText(whole), mimeType: 'text/plain', whose }, context))
        .uri,
    whose,
  });
  if ('fault' in taken)
    return { answer: { tool, leftOut: taken.fault, ...also }, before: [taken.fault], text: '', after };
  const { value, notes, text } = taken;
  // What a structure would round is told as its text.
  const isText = text === value || roundedNumbers(text).length > 0;
  return {
    answer: {
      tool,
      result: isText ? text : JSON.parse(text),
      ...(notes.length === 0 ? {} : { leftOut: notes.join(' ') }),
      ...also,
    },
    before: notes,
    text,
    after,
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
  return {
    answer: { tool, error: { ...error, message } },
    text: [`${error.code}: ${error.message}`, ...also].join('\n'),
  };
}
