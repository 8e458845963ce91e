import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
} from '@ai-sdk/provider';
import { joinSignals } from '@nexus/primitives';
import type { RawAnswer, SourceAnswer, SourceRequest } from '../source.ts';
import { type ApiAddress, loadModels } from './load-model.ts';
import { providerOptions } from './provider-options.ts';
import { readFailure } from './read-failure.ts';
import { readStream } from './read-stream.ts';
import { toPrompt } from './to-prompt.ts';
import { fetchOf, fetchTelling } from './whole-body.ts';
import { type WireNames, wireNames } from './wire-names.ts';

/**
 * One call of an API, streamed: the provider's own library is asked, without the AI SDK's loop around it, since
 * tools, retries and structured answers are ours one level up. @throws {ModelFailure}, or the signal's reason
 */
export function askApi(address: ApiAddress, request: SourceRequest): Promise<SourceAnswer> {
  const { keep } = request;
  if (!keep)
    return through(
      fetchTelling(() => {}),
      address,
      request,
    );
  const asking: typeof fetch = (...asked) => {
    const answer = fetch(...asked);
    rehearse(address, request);
    return answer;
  };
  return through(fetchTelling(keep, asking), address, request);
}

const rehearsed = new Set<ApiAddress['wire']>();
/** Says nothing in any of the wire formats; all that would read an answer is loaded and has run by its end. */
const EMPTY_ANSWER = 'data:text/event-stream,data:%20%7B%7D%0A%0A';

/**
 * What a process does for the first time takes it ten times as long, and no other answer that comes meanwhile is put
 * on record. So an answer is read once while the first real one is waited for.
 */
function rehearse(address: ApiAddress, request: SourceRequest): void {
  if (rehearsed.has(address.wire)) return;
  rehearsed.add(address.wire);
  const empty = fetchTelling(
    () => {},
    () => fetch(EMPTY_ANSWER),
  );
  through(empty, address, { ...request, emit: () => {} }).catch(() => {}); // as it is bound to end
}

/** Reads what came before. @throws {ModelFailure} */
export function readApi(address: ApiAddress, request: SourceRequest, raw: RawAnswer): Promise<SourceAnswer> {
  return through(fetchOf(raw), address, request);
}

async function through(
  ask: typeof fetch | undefined,
  address: ApiAddress,
  request: SourceRequest,
): Promise<SourceAnswer> {
  const { signal } = request.caller;
  // A signal of its own: what fetch hangs on the one that it gets stays there until the garbage collector comes by.
  using own = joinSignals(signal);
  try {
    const names = wireNames();
    // Before the prompt, whose calls may be of tools that are told of no more.
    const tools = toTools(request, names);
    const model = await loadModels(address);
    const { stream } = await model(request.entry.name, ask).doStream({
      ...toOptions(address, request),
      abortSignal: own,
      ...tools,
      prompt: [
        ...(request.system === undefined
          ? []
          : [{ role: 'system' as const, content: request.system, providerOptions: CACHED_TO_HERE }]),
        ...withCacheMark(
          toPrompt(request.messages, {
            entry: request.entry,
            takesFilesInResults: address.wire !== 'openai-chat',
            names,
          }),
          request,
        ),
      ],
    });
    return await readStream(stream, request, names);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw readFailure(error);
  }
}

function toOptions(
  address: ApiAddress,
  request: SourceRequest,
): Omit<LanguageModelV3CallOptions, 'prompt' | 'abortSignal'> {
  const { maxOutputTokens, temperature, idempotencyKey, outputSchema } = request;
  return {
    maxOutputTokens,
    providerOptions: providerOptions(address, request),
    ...(temperature === undefined ? {} : { temperature }),
    ...(idempotencyKey === undefined ? {} : { headers: { 'idempotency-key': idempotencyKey } }),
    ...(outputSchema === undefined ? {} : { responseFormat: { type: 'json', schema: outputSchema } }),
  };
}

/**
 * Anthropic keeps what a request begins with up to each mark: tools and system prompt for whoever asks with the same,
 * and of a conversation all that has been said, for its next turn. Other providers find such beginnings themselves,
 * and pass over the mark.
 */
const CACHED_TO_HERE = { anthropic: { cacheControl: { type: 'ephemeral' } } } as const;

/** What is asked once is never read again, and writing it into the cache costs more than not to. */
function withCacheMark(prompt: LanguageModelV3Message[], { tools }: SourceRequest): LanguageModelV3Message[] {
  const last = prompt.at(-1);
  if (!last || tools.length === 0) return prompt;
  const [first, ...rest] = [...prompt.slice(0, -1), { ...last, providerOptions: CACHED_TO_HERE }];
  return first ? [withSharedMark(first), ...rest] : rest;
}

/** Whoever begins with several texts has in the first what others begin with as well, such as the files that all are shown. */
function withSharedMark(message: LanguageModelV3Message): LanguageModelV3Message {
  if (message.role !== 'user') return message;
  const [shared, ...own] = message.content;
  if (!shared || own.length === 0) return message;
  return { ...message, content: [{ ...shared, providerOptions: CACHED_TO_HERE }, ...own] };
}

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
