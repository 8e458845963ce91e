import type { ModelBlock, ModelMessage } from '@nexus/plugin-sdk';
import type { SourceAnswer, SourceRequest } from '../source.ts';

/**
 * What a model was told and what it answered, as JSON in the form of semantic-conventions-genai
 * (`gen_ai.input.messages`, `gen_ai.output.messages`, `gen_ai.system_instructions`).
 */
export function messageAttributes(request: SourceRequest, answer: SourceAnswer | undefined) {
  const { system, messages } = request;
  return {
    'gen_ai.system_instructions': system && JSON.stringify([{ type: 'text', content: system }]),
    'gen_ai.input.messages': JSON.stringify(messages.map(inParts)),
    'gen_ai.output.messages':
      answer &&
      JSON.stringify([
        { ...inParts({ role: 'assistant', content: answer.content }), finish_reason: answer.stopReason },
      ]),
  };
}

function inParts({ role, content }: ModelMessage) {
  return { role, parts: content.map(toPart) };
}

/** One block as the conventions have it. */
function toPart(block: ModelBlock): Readonly<Record<string, unknown>> {
  switch (block.type) {
    case 'text':
      return { type: 'text', content: block.text };
    case 'reasoning':
      return { type: 'reasoning', content: block.text };
    case 'tool_use':
      return { type: 'tool_call', id: block.id, name: block.name, arguments: block.input };
    case 'tool_result':
      return { type: 'tool_call_response', id: block.toolUseId, response: block.content.map(toPart) };
    default:
      return { type: block.type }; // bytes of images and the like are of no use in a trace
  }
}
