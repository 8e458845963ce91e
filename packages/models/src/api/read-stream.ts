import type { LanguageModelV3StreamPart, LanguageModelV3Usage } from '@ai-sdk/provider';
import { isRecord } from '@nexus/core';
import type { ModelBlock, ToolUse } from '@nexus/plugin-sdk';
import { boundsFault, roundedNumbers } from '@nexus/primitives';
import { MAX_ANSWER_CHARS, MAX_ARGUMENT_MEMBERS, tooLong } from '../content/answer-bounds.ts';
import { ModelFailure } from '../failure.ts';
import type { SourceAnswer, SourceRequest } from '../source.ts';
import { readFailure } from './read-failure.ts';
import type { WireNames } from './wire-names.ts';

/** A provider's answer as it comes, to its end. @throws {ModelFailure} */
export async function readStream(
  stream: AsyncIterable<LanguageModelV3StreamPart>,
  { emit, tools }: SourceRequest,
  names: WireNames,
): Promise<SourceAnswer> {
  const content: ModelBlock[] = [];
  /** Blocks that still grow, by the stream's own ids. */
  const open = new Map<string, { type: 'text' | 'reasoning'; text: string; marks?: unknown }>();
  let characters = 0;
  const count = (text: string) => {
    characters += text.length;
    if (characters > MAX_ANSWER_CHARS) throw tooLong(MAX_ANSWER_CHARS, 'characters');
  };
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
        count(part.delta);
        block.text += part.delta;
        block.marks = part.providerMetadata ?? block.marks;
        if (part.delta !== '') emit({ type: block.type, text: part.delta });
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
        count(part.input);
        content.push(toolUse(part, tools, names.fromWire(part.toolName)));
        break;
      case 'error':
        throw readFailure(part.error);
      case 'finish':
        return finished(part, content);
    }
  }
  throw new ModelFailure('unavailable', 'its answer stopped in the middle');
}

type Finish = Extract<LanguageModelV3StreamPart, { type: 'finish' }>;

function finished({ finishReason, usage }: Finish, content: readonly ModelBlock[]): SourceAnswer {
  const { unified, raw } = finishReason;
  // The libraries end a stream that was cut off as if it were whole: only the provider's own word counts.
  if (raw === undefined && unified === 'other')
    throw new ModelFailure('unavailable', 'its answer stopped in the middle');
  if (unified === 'content-filter' || raw === 'refusal')
    throw new ModelFailure('refused', `it declined to answer (${raw})`);
  const hasTools = content.some(({ type }) => type === 'tool_use');
  return { content, stopReason: hasTools ? 'tool_use' : stopReasonOf(unified), usage: usageOf(usage) };
}

function stopReasonOf(reason: Finish['finishReason']['unified']): SourceAnswer['stopReason'] {
  if (reason === 'length') return 'length';
  return reason === 'stop' ? 'end' : 'other';
}

function usageOf({ inputTokens: input, outputTokens: output }: LanguageModelV3Usage): SourceAnswer['usage'] {
  if (input.total === undefined || output.total === undefined) return undefined;
  return {
    inputTokens: input.total,
    outputTokens: output.total,
    cachedInputTokens: input.cacheRead ?? 0,
    ...(input.cacheWrite ? { cacheWriteTokens: input.cacheWrite } : {}),
  };
}

type Call = Extract<LanguageModelV3StreamPart, { type: 'tool-call' }>;

/** Inputs are held to their schemas by whoever calls the tools, not here. */
function toolUse(part: Call, tools: SourceRequest['tools'], name: string): ToolUse {
  const tooMuch = boundsFault(part.input, { maxMembers: MAX_ARGUMENT_MEMBERS }) ?? roundedFault(part.input);
  const input = tooMuch === undefined ? parse(part.input) : undefined;
  // A name that there is not is not the arguments' fault.
  const isAtFault = !isRecord(input) && tools.some((tool) => tool.name === name);
  return {
    type: 'tool_use',
    id: part.toolCallId,
    name,
    input: isRecord(input) ? input : {},
    ...(isAtFault
      ? {
          fault:
            tooMuch === undefined
              ? 'its arguments are no JSON object'
              : `the JSON of its arguments ${tooMuch}`,
        }
      : {}),
    ...meta(part.providerMetadata),
  };
}

function roundedFault(json: string): string | undefined {
  const [path] = roundedNumbers(json);
  if (path === undefined) return undefined;
  return `has at ${path} a number that would be rounded; it is sent as a string, where the tool takes one`;
}

/** Some providers send nothing at all for no arguments. */
function parse(input: string): unknown {
  if (input.trim() === '') return {};
  try {
    return JSON.parse(input);
  } catch {
    return undefined;
  }
}

function meta(marks: unknown): { _meta?: Record<string, unknown> } {
  return isRecord(marks) && Object.keys(marks).length > 0 ? { _meta: marks } : {};
}
