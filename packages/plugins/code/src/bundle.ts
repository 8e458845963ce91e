import { type CallContext, defineTool, type ToolCallResult } from '@nexus/plugin-sdk';
import { z } from 'zod';

const NAME = 'bundle';

/** As `_meta["nexus/error"]` has it: category, whether a retry helps and detail besides. */
const OpError = z.looseObject({ code: z.string(), message: z.string() });

const OpAnswer = z.object({
  tool: z.string(),
  result: z.unknown().optional(),
  error: OpError.optional(),
  normalized: z.unknown().optional(),
});

type OpAnswer = z.input<typeof OpAnswer>;
type Op = Readonly<Record<string, unknown>> & { readonly tool: string };

export const bundle = defineTool({
  name: NAME,
  title: 'Bundle read-only calls',
  description:
    'Run up to 20 calls of read-only tools in parallel, in one round trip. Gives each op’s result or error, in the order of ops; an op that fails leaves the others alone. Takes no tool that writes, and no bundle.',
  input: z.object({
    ops: z
      .array(
        z.looseObject({
          tool: z.string().max(200).describe('A read-only tool.'),
          arguments: z.unknown().optional().describe('Its arguments, an object; or inline beside tool.'),
        }),
      )
      .min(1)
      .max(20)
      .describe('The calls.')
      .meta({ examples: [[{ tool: 'search_codebase', arguments: { query: 'createServer' } }]] }),
  }),
  output: z.object({ results: z.array(OpAnswer), failed: z.number() }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  isListedWhenLean: true,
  budget: 'interactive',
  async call({ ops }, context: CallContext) {
    const results = await Promise.all(ops.map((op, index) => runOp(op, index, context)));
    context.signal.throwIfAborted();
    return { results, failed: results.filter((each) => each.error).length };
  },
});

async function runOp(op: Op, index: number, { tools }: CallContext): Promise<OpAnswer> {
  const { tool, ...params } = op;
  const refusal = whyNot(tool, tools.find(tool)?.annotations.readOnlyHint);
  if (refusal) return failed(op, index, { ...INVALID, message: refusal });
  try {
    const { structuredContent, content, isError, _meta: meta } = await tools.call(tool, params);
    const normalized = meta?.['nexus/normalized'];
    const recovered = normalized === undefined ? {} : { normalized };
    if (!isError) return { tool, result: structuredContent ?? textOf(content), ...recovered };
    const envelope = OpError.safeParse(meta?.['nexus/error']);
    return {
      ...failed(op, index, envelope.data ?? { ...UNTOLD, message: textOf(content) }),
      ...recovered,
    };
  } catch (error) {
    // A protocol error, as the same call alone would have got.
    const message = error instanceof Error ? error.message : String(error);
    const code = String((error as { code?: unknown }).code ?? UNTOLD.code);
    return failed(op, index, { code, category: 'protocol', retryable: false, message });
  }
}

const INVALID = { code: 'NEXUS_INVALID_ARGUMENTS', category: 'validation', retryable: false };
/** A downstream server's error carries no envelope of ours. */
const UNTOLD = { code: 'NEXUS_UNAVAILABLE', category: 'business', retryable: false };

function whyNot(tool: string, isReadOnly: boolean | undefined): string | undefined {
  if (tool === NAME) return 'a bundle holds no bundle; put the ops of the inner one beside the others.';
  if (isReadOnly === false) return `${tool} is not read-only; call it directly, outside a bundle.`;
  return undefined;
}

function failed({ tool }: Op, index: number, error: z.input<typeof OpError>): OpAnswer {
  return { tool, error: { ...error, message: `sub-op ${index} (${tool}): ${error.message}` } };
}

function textOf(content: ToolCallResult['content']): string {
  return content.map((block) => block.text ?? `[${block.type}]`).join('\n');
}
