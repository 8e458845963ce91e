import type { Generated, GenerateRequest, ModelCaller, ModelMessage, ToolUse } from '@nexus/plugin-sdk';
import { askedBy, historyFaults, toMessages } from '../src/index.ts';

type Turn = string | readonly (readonly [name: string, input: Readonly<Record<string, unknown>>])[];

/** A model that says what the script has, and holds each history to the providers' rules as they do. */
export function scriptedGenerate(turns: readonly Turn[]) {
  const requests: GenerateRequest[] = [];
  const generate = async (given: GenerateRequest, caller: ModelCaller): Promise<Generated> => {
    caller.signal.throwIfAborted();
    const request = askedBy(given, caller);
    requests.push({ ...request, prompt: structuredClone(request.prompt) });
    const faults = historyFaults(toMessages(request.prompt));
    if (faults.length > 0) throw new Error(faults.join('; '));
    const turn = turns[requests.length - 1];
    if (turn === undefined) throw new Error('the script is over');
    const toolUses: ToolUse[] =
      typeof turn === 'string'
        ? []
        : turn.map(([name, input], index) => ({
            type: 'tool_use',
            id: `${requests.length}.${index}`,
            name,
            input,
          }));
    const text = typeof turn === 'string' ? turn : '';
    return {
      message: { role: 'assistant', content: text === '' ? toolUses : [{ type: 'text', text }] },
      text,
      toolUses,
      model: 'scripted:model',
      stopReason: toolUses.length > 0 ? 'tool_use' : 'end',
      usage: { inputTokens: 10, outputTokens: 2, cachedInputTokens: 0, costUsd: 0.1 },
    };
  };
  return { generate, requests };
}

/** The texts of the results in a message, by the id of their use. */
export function resultsIn(message: ModelMessage | undefined): Record<string, string> {
  const results = (message?.content ?? []).filter((block) => block.type === 'tool_result');
  return Object.fromEntries(
    results.map(({ toolUseId, content }) => [
      toolUseId,
      content.map((block) => (block.type === 'text' ? block.text : block.type)).join('\n'),
    ]),
  );
}
