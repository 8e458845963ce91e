import { isRecord } from '@nexus/core';
import {
  isToolError,
  type ModelBlock,
  type ModelCaller,
  type ModelMessage,
  type SamplingAnswer,
  type SamplingRequest,
} from '@nexus/plugin-sdk';
import { joinSignals, untilAborted } from '@nexus/primitives';
import { describeModel } from '../catalogue/describe-model.ts';
import { askDescribed } from '../content/described-tools.ts';
import { ModelFailure } from '../failure.ts';
import type { ModelsSettings } from '../settings.ts';
import type { ModelSource, SourceAnswer, SourceRequest } from '../source.ts';

/** The connected client's own model, by MCP sampling: that of the session whose call asks. */
export function hostSource(settings: ModelsSettings): ModelSource {
  const own = settings.providers.host;
  return {
    name: 'host',
    kind: 'host',
    models: [describeModel({ provider: 'host', name: 'default', tools: 'native' }, settings.overrides)],
    concurrency: own?.concurrency ?? 2,
    requestsPerMinute: own?.requestsPerMinute,
    ofSession: true,
    find({ sampling, sample }) {
      if (own?.isEnabled === false)
        return { isFound: false, reason: 'switched off by models.providers.host.enabled' };
      if (!sample || sampling === undefined)
        return {
          isFound: false,
          reason: 'no client is asking; a host that offers sampling has it in its own calls',
        };
      if (sampling === 'none')
        return { isFound: false, reason: 'the client of this call does not offer sampling' };
      return {
        isFound: true,
        reason: `sampling by the client of this call${sampling === 'tools' ? ', tools included' : ''}`,
      };
    },
    ask(request) {
      const isPlain = request.tools.length > 0 && request.caller.sampling !== 'tools';
      return isPlain ? askDescribed(request, sample) : sample(request);
    },
  };
}

async function sample(request: SourceRequest): Promise<SourceAnswer> {
  const { caller, system, temperature, outputSchema } = request;
  const told = [
    system,
    outputSchema && `Answer with JSON of this schema and nothing else:\n${JSON.stringify(outputSchema)}`,
  ];
  const systemPrompt = told.filter((part) => part !== undefined).join('\n\n');
  try {
    if (!caller.sample) throw new ModelFailure('rejected', 'no client is there to ask');
    const answer = await sampleInTime(
      caller.sample,
      {
        messages: request.messages.map(({ role, content }) => ({
          role,
          content: content.flatMap(toSampled),
        })),
        maxTokens: request.maxOutputTokens,
        ...(systemPrompt === '' ? {} : { systemPrompt }),
        ...(temperature === undefined ? {} : { temperature }),
        ...(request.tools.length === 0
          ? {}
          : { tools: request.tools.map((tool) => ({ ...tool })), toolChoice: { mode: request.toolChoice } }),
      },
      caller.signal,
    );
    return read(answer, request);
  } catch (error) {
    if (caller.signal.aborted) throw caller.signal.reason;
    if (error instanceof ModelFailure) throw error;
    const message = error instanceof Error ? error.message : String(error);
    if (isToolError(error) && error.code === 'NEXUS_REFUSED')
      throw new ModelFailure('refused', message, { cause: error });
    throw new ModelFailure('rejected', message, { cause: error });
  }
}

/** A person may have to allow it; whoever has gone for good must not hold a place for ever. */
const ANSWER_MS = 600_000;

async function sampleInTime(
  ask: NonNullable<ModelCaller['sample']>,
  request: SamplingRequest,
  signal: AbortSignal,
): Promise<SamplingAnswer> {
  const late = new AbortController();
  const text = `the client gave no answer within ${ANSWER_MS / 60_000} minutes`;
  const timer = setTimeout(() => late.abort(new ModelFailure('rejected', text)), ANSWER_MS);
  using ends = joinSignals(signal, late.signal);
  try {
    return await untilAborted(ask(request, ends), ends);
  } finally {
    clearTimeout(timer);
  }
}

/** MCP's own blocks are ours; thoughts and faults are not of the protocol. */
function toSampled(block: ModelMessage['content'][number]): Record<string, unknown>[] {
  if (block.type === 'reasoning') return [];
  if (block.type !== 'tool_use') return [{ ...block }];
  const { fault: _, ...use } = block;
  return [use];
}

function read({ content, stopReason }: SamplingAnswer, { emit }: SourceRequest): SourceAnswer {
  const blocks = (Array.isArray(content) ? content : [content]).flatMap(toBlock);
  for (const block of blocks) if (block.type === 'text') emit({ type: 'text', text: block.text });
  const hasTools = blocks.some(({ type }) => type === 'tool_use');
  return { content: blocks, stopReason: hasTools ? 'tool_use' : stopOf(stopReason), usage: undefined };
}

function stopOf(reason: string | undefined): SourceAnswer['stopReason'] {
  if (reason === 'maxTokens') return 'length';
  return reason === undefined || reason === 'endTurn' || reason === 'stopSequence' ? 'end' : 'other';
}

function toBlock(block: unknown): ModelBlock[] {
  if (!isRecord(block)) return [];
  if (block.type === 'text' && typeof block.text === 'string') return [{ type: 'text', text: block.text }];
  if (block.type !== 'tool_use' || typeof block.id !== 'string' || typeof block.name !== 'string') return [];
  const isGood = isRecord(block.input);
  return [
    {
      type: 'tool_use',
      id: block.id,
      name: block.name,
      input: isRecord(block.input) ? block.input : {},
      ...(isGood ? {} : { fault: 'its arguments are no JSON object' }),
    },
  ];
}
