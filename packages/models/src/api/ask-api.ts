import { isRecord } from '@nexus/core';
import type { ModelBlock, ToolUse } from '@nexus/plugin-sdk';
import type { TextStreamPart, ToolSet } from 'ai';
import { ModelFailure } from '../failure.ts';
import type { SourceAnswer, SourceRequest } from '../source.ts';
import { type ApiAddress, loadModel } from './load-model.ts';
import { readFailure } from './read-failure.ts';
import { toAiMessages } from './to-ai-messages.ts';
import { type WireNames, wireNames } from './wire-names.ts';

/** Loaded by the first call, and asked for no more: a loader of another kind than Node's own answers slowly. */
let library: Promise<typeof import('ai')> | undefined;

/** One call of an API, streamed. @throws {ModelFailure}, or the signal's reason */
export async function askApi(address: ApiAddress, request: SourceRequest): Promise<SourceAnswer> {
  const { signal } = request.caller;
  try {
    library ??= import('ai');
    const { jsonSchema, Output, streamText, tool } = await library;
    // Its warnings would go to stdout, which is the protocol's.
    globalThis.AI_SDK_LOG_WARNINGS = false;
    const names = wireNames();
    const tools = Object.fromEntries(
      request.tools.map(({ name, description, inputSchema }) => [
        names.toWire(name),
        tool({ description, inputSchema: jsonSchema(inputSchema) }),
      ]),
    );
    const { outputSchema, system, temperature, idempotencyKey } = request;
    const stream = streamText({
      model: await loadModel(address, request.entry.name),
      messages: toAiMessages(request.messages, {
        entry: request.entry,
        takesFilesInResults: address.wire !== 'openai-chat',
        names,
      }),
      maxOutputTokens: request.maxOutputTokens,
      // Retried one level up, where the ledger and the deadline are.
      maxRetries: 0,
      abortSignal: signal,
      // What fails comes by the stream, too.
      onError() {},
      providerOptions: PROVIDER_OPTIONS,
      ...(system === undefined ? {} : { system }),
      ...(temperature === undefined ? {} : { temperature }),
      ...(idempotencyKey === undefined ? {} : { headers: { 'idempotency-key': idempotencyKey } }),
      ...(outputSchema === undefined ? {} : { output: Output.object({ schema: jsonSchema(outputSchema) }) }),
      // Inputs are held to their schemas by whoever calls the tools, not here.
      ...(request.tools.length === 0 ? {} : { tools: tools as ToolSet, toolChoice: request.toolChoice }),
    });
    return await readStream(stream.fullStream, request, names);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw readFailure(error);
  }
}

const PROVIDER_OPTIONS = {
  // Nothing is kept at the provider, and schemas may have what its strict dialect lacks.
  openai: { store: false, strictJsonSchema: false },
};

async function readStream(
  stream: AsyncIterable<TextStreamPart<ToolSet>>,
  { emit }: SourceRequest,
  names: WireNames,
): Promise<SourceAnswer> {
  const content: ModelBlock[] = [];
  /** Blocks that still grow, by the stream's own ids. */
  const open = new Map<string, { type: 'text' | 'reasoning'; text: string; marks?: unknown }>();
  for await (const part of stream) {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        open.set(part.id, {
          type: part.type === 'text-start' ? 'text' : 'reasoning',
          text: '',
          marks: part.providerMetadata,
        });
        break;
      case 'text-delta':
      case 'reasoning-delta': {
        const block = open.get(part.id);
        if (!block) break;
        block.text += part.text;
        block.marks = part.providerMetadata ?? block.marks;
        if (part.text !== '') emit({ type: block.type, text: part.text });
        break;
      }
      case 'text-end':
      case 'reasoning-end': {
        const block = open.get(part.id);
        open.delete(part.id);
        if (!block) break;
        const marked = meta(part.providerMetadata ?? block.marks);
        if (block.text !== '' || '_meta' in marked)
          content.push({ type: block.type, text: block.text, ...marked });
        break;
      }
      case 'tool-call':
        content.push(toolUse(part, names));
        break;
      case 'error':
        throw readFailure(part.error);
      case 'abort':
        throw new ModelFailure('unavailable', 'its answer was broken off');
      case 'finish-step':
        return finished(part, content);
    }
  }
  throw new ModelFailure('unavailable', 'its answer stopped in the middle');
}

type Finish = Extract<TextStreamPart<ToolSet>, { type: 'finish-step' }>;

function finished(part: Finish, content: readonly ModelBlock[]): SourceAnswer {
  // The libraries end a stream that was cut off as if it were whole: only the provider's own word counts.
  if (part.rawFinishReason === undefined && part.finishReason === 'other')
    throw new ModelFailure('unavailable', 'its answer stopped in the middle');
  if (part.finishReason === 'content-filter' || part.rawFinishReason === 'refusal')
    throw new ModelFailure('refused', `it declined to answer (${part.rawFinishReason})`);
  const hasTools = content.some(({ type }) => type === 'tool_use');
  const { inputTokens, outputTokens, inputTokenDetails } = part.usage;
  return {
    content,
    stopReason: hasTools ? 'tool_use' : stopReasonOf(part.finishReason),
    usage:
      inputTokens === undefined || outputTokens === undefined
        ? undefined
        : { inputTokens, outputTokens, cachedInputTokens: inputTokenDetails.cacheReadTokens ?? 0 },
  };
}

function stopReasonOf(reason: Finish['finishReason']): SourceAnswer['stopReason'] {
  if (reason === 'length') return 'length';
  return reason === 'stop' ? 'end' : 'other';
}

type Call = Extract<TextStreamPart<ToolSet>, { type: 'tool-call' }>;

function toolUse(part: Call, names: WireNames): ToolUse {
  const isGood = !part.invalid && isRecord(part.input);
  return {
    type: 'tool_use',
    id: part.toolCallId,
    name: names.fromWire(part.toolName),
    input: isRecord(part.input) ? part.input : {},
    ...(isGood || isUnknown(part) ? {} : { fault: 'its arguments are no JSON object' }),
    ...meta(part.providerMetadata),
  };
}

/** Named a tool that there is not: not the arguments' fault. */
function isUnknown(part: Call): boolean {
  return part.invalid === true && part.error instanceof Error && part.error.name === 'AI_NoSuchToolError';
}

function meta(marks: unknown): { _meta?: Record<string, unknown> } {
  return isRecord(marks) && Object.keys(marks).length > 0 ? { _meta: marks } : {};
}
