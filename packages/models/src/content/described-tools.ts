import { randomUUID } from 'node:crypto';
import { readJson } from '@nexus/conversation';
import { isRecord } from '@nexus/core';
import type { ModelBlock, ModelMessage, ModelTool } from '@nexus/plugin-sdk';
import type { SourceAnswer, SourceRequest } from '../source.ts';
import { textFor } from './for-model.ts';

/**
 * Tools for a model that is only given text: they are described to it, and it answers with a JSON object
 * where it wants one called. What it streams is held back until it is known to be an answer.
 */
export async function askDescribed(
  request: SourceRequest,
  ask: (request: SourceRequest) => Promise<SourceAnswer>,
): Promise<SourceAnswer> {
  const answer = await ask({
    ...request,
    system: [request.system, describeTools(request.tools)].filter(Boolean).join('\n\n'),
    tools: [],
    messages: request.messages.map((message) => asText(message, request)),
    emit: (event) => {
      if (event.type !== 'text') request.emit(event);
    },
  });
  const text = answer.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  const uses = readUses(text);
  if (uses.length > 0) return { ...answer, content: uses, stopReason: 'tool_use' };
  request.emit({ type: 'text', text });
  return answer;
}

function describeTools(tools: readonly ModelTool[]): string {
  const listed = tools.map(({ name, description, inputSchema }) =>
    JSON.stringify({ name, description, arguments: inputSchema }),
  );
  return `You can have these tools called, one JSON object a line:
${listed.join('\n')}

To call some, answer with nothing but {"tool_calls": [{"name": "…", "arguments": {…}}]}. Their results come in the next message. Otherwise answer in plain text.`;
}

/** Uses and results of earlier turns, in the words that the model was taught. */
function asText({ role, content }: ModelMessage, { entry }: SourceRequest): ModelMessage {
  const uses = content.filter((block) => block.type === 'tool_use');
  const texts = content.flatMap((block) => {
    switch (block.type) {
      case 'tool_use':
      case 'reasoning':
        return [];
      case 'tool_result': {
        const text = block.content.map((each) => textFor(each, entry)).join('\n\n');
        return [`Result of tool call ${block.toolUseId}${block.isError ? ', which failed' : ''}:\n${text}`];
      }
      default:
        return [textFor(block, entry)];
    }
  });
  if (uses.length > 0) {
    const calls = uses.map(({ id, name, input }) => ({ id, name, arguments: input }));
    texts.push(JSON.stringify({ tool_calls: calls }));
  }
  return { role, content: [{ type: 'text', text: texts.join('\n\n') }] };
}

function readUses(text: string): ModelBlock[] {
  const value = readJson(text)?.value;
  if (!isRecord(value) || !Array.isArray(value.tool_calls)) return [];
  return value.tool_calls.filter(isRecord).map((call): ModelBlock => {
    const isGood = isRecord(call.arguments);
    return {
      type: 'tool_use',
      id: `call_${randomUUID()}`,
      name: String(call.name),
      input: isRecord(call.arguments) ? call.arguments : {},
      ...(isGood ? {} : { fault: 'its arguments are no JSON object' }),
    };
  });
}

/**
 * A whole conversation as one text, for what takes no more. Each message is a line of JSON, so that no text in
 * it can pass for another message.
 */
export function asOneText(request: SourceRequest): string {
  const messages = request.messages.map((message) => asText(message, request));
  const texts = messages.map(({ role, content }) => {
    const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    return { role, text };
  });
  if (texts.length === 1) return texts[0]?.text ?? '';
  const lines = texts.map((message) => JSON.stringify(message));
  return `This is our conversation so far, a message a line:\n${lines.join('\n')}\n\nAnswer the last message.`;
}
