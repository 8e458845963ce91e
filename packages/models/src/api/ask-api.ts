import type { LanguageModelV3CallOptions, LanguageModelV3FunctionTool } from '@ai-sdk/provider';
import type { SourceAnswer, SourceRequest } from '../source.ts';
import { type ApiAddress, loadModel } from './load-model.ts';
import { readFailure } from './read-failure.ts';
import { readStream } from './read-stream.ts';
import { toPrompt } from './to-prompt.ts';
import { type WireNames, wireNames } from './wire-names.ts';

/**
 * One call of an API, streamed: the provider's own library is asked, without the AI SDK's loop around it, since
 * tools, retries and structured answers are ours one level up. @throws {ModelFailure}, or the signal's reason
 */
export async function askApi(address: ApiAddress, request: SourceRequest): Promise<SourceAnswer> {
  const { signal } = request.caller;
  try {
    const names = wireNames();
    // Before the prompt, whose calls may be of tools that are told of no more.
    const tools = toTools(request, names);
    const model = await loadModel(address, request.entry.name);
    const { stream } = await model.doStream({
      ...toOptions(request),
      ...tools,
      prompt: [
        ...(request.system === undefined ? [] : [{ role: 'system' as const, content: request.system }]),
        ...toPrompt(request.messages, {
          entry: request.entry,
          takesFilesInResults: address.wire !== 'openai-chat',
          names,
        }),
      ],
    });
    return await readStream(stream, request, names);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw readFailure(error);
  }
}

function toOptions(request: SourceRequest): Omit<LanguageModelV3CallOptions, 'prompt'> {
  const { maxOutputTokens, temperature, idempotencyKey, outputSchema, caller } = request;
  return {
    maxOutputTokens,
    abortSignal: caller.signal,
    providerOptions: PROVIDER_OPTIONS,
    ...(temperature === undefined ? {} : { temperature }),
    ...(idempotencyKey === undefined ? {} : { headers: { 'idempotency-key': idempotencyKey } }),
    ...(outputSchema === undefined ? {} : { responseFormat: { type: 'json', schema: outputSchema } }),
  };
}

const PROVIDER_OPTIONS = {
  // Nothing is kept at the provider, and schemas may have what its strict dialect lacks.
  openai: { store: false, strictJsonSchema: false },
};

/** Each by its name on the wire, once. */
function toTools(
  { tools, toolChoice }: SourceRequest,
  names: WireNames,
): Pick<LanguageModelV3CallOptions, 'tools' | 'toolChoice'> {
  if (tools.length === 0) return {};
  const byName = new Map(
    tools.map(({ name, description, inputSchema }): [string, LanguageModelV3FunctionTool] => {
      const wireName = names.toWire(name);
      return [wireName, { type: 'function', name: wireName, description, inputSchema }];
    }),
  );
  return { tools: [...byName.values()], toolChoice: { type: toolChoice } };
}
