import { historyFaults, toMessages } from '@nexus/conversation';
import {
  type Generated,
  type GenerateRequest,
  isToolError,
  type Log,
  type ModelCaller,
  type ModelUsage,
  type Reservation,
  type Spans,
  ToolError,
} from '@nexus/plugin-sdk';
import { costOf, isUpperBound } from '../catalogue/cost.ts';
import type { Choice } from '../choose-model.ts';
import { ModelFailure, toToolError } from '../failure.ts';
import type { Outcomes } from '../outcomes/outcomes.ts';
import type { RawAnswer, SourceAnswer, SourceRequest } from '../source.ts';
import { estimateTokens, textTokens, tokensOf } from './estimate-tokens.ts';
import type { Limits } from './limits.ts';
import { modelSpan } from './model-span.ts';
import { withRetries } from './with-retries.ts';

const DEFAULT_MAX_OUTPUT_TOKENS = 8_192;

export interface CallModel {
  readonly limits: Limits;
  readonly outcomes: Outcomes;
  readonly maxAttempts: number;
  readonly log: Log;
  /** Where calls tell how they went; by default nowhere. */
  readonly spans?: Spans | undefined;
  /** The model of an id, where it can still be had. */
  find(id: string, caller: ModelCaller): Choice | undefined;
}

export type FullRequest = GenerateRequest & {
  readonly outputSchema?: Readonly<Record<string, unknown>>;
};

/**
 * One call of a chosen model, whole: its history checked, its price reserved, held to the provider's limits, made
 * again where that helps, then settled and recorded.
 */
export async function callModel(
  chosen: Choice,
  request: FullRequest,
  caller: ModelCaller,
  { limits, outcomes, maxAttempts, log, spans, find }: CallModel,
): Promise<Generated> {
  const watched = watchEvents(request.onEvent);
  const askedOf = ({ entry }: Choice) => toSourceRequest(request, { entry, caller, emit: watched.emit });
  const first = askedOf(chosen);
  const estimated = estimateTokens(first);
  const reservation = await reserve(request, first, estimated);
  if (reservation?.answer) return fromKept(reservation.answer.value);
  const arrived = reservation?.arrived?.value as Arrived | undefined; // of a keep below
  // What came is read as the answer of who gave it, whoever would be chosen today.
  const giver = arrived && (arrived.model === chosen.entry.id ? chosen : find(arrived.model, caller));
  const { source, entry } = giver ?? chosen;
  const keep = reservation?.keep?.bind(reservation);
  const asked: SourceRequest = {
    ...askedOf({ source, entry }),
    keep: keep && ((raw) => keep({ model: entry.id, raw } satisfies Arrived)),
  };
  let unread = giver?.source.read && arrived?.raw;
  let isAsked = arrived !== undefined;
  const startedAt = Date.now();
  const started = performance.now();
  const span = modelSpan(spans, caller.trace, { entry, request: first, startedAt });
  const record = (usage: ModelUsage, outcome: string, answer?: SourceAnswer) => {
    span?.({ usage, outcome, answer });
    // Cancelled while it waited for its turn: no call was made.
    if (!isAsked && outcome === 'NEXUS_CANCELLED') return;
    outcomes.record({
      model: entry.id,
      provider: entry.provider,
      category: request.category ?? 'general',
      started_at: startedAt,
      latency_ms: Math.round(performance.now() - started),
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      cached_input_tokens: usage.cachedInputTokens,
      cost_usd: usage.costUsd ?? null,
      outcome,
      root_id: request.ledger?.rootId ?? null,
    });
  };
  try {
    // Each attempt takes a turn of its own: one that is made again counts for the provider's rate like any other.
    const attempt = async () => {
      const raw = unread;
      unread = undefined;
      if (raw && source.read) return source.read(raw, asked);
      return limits.run(source, caller, async () => {
        await reservation?.confirm();
        isAsked = true;
        return source.ask(asked);
      });
    };
    const answer = await withRetries(attempt, { ...watched, maxAttempts, signal: caller.signal });
    const usage = usageOf(answer, asked, estimated);
    const { content, stopReason } = answer;
    await settle(reservation, usage, { content, stopReason, usage, model: entry.id } satisfies KeptAnswer);
    record(usage, 'ok', answer);
    watched.emit({ type: 'usage', model: entry.id, usage });
    return toGenerated({ content, stopReason, usage, model: entry.id });
  } catch (error) {
    const failure = error instanceof ModelFailure ? toToolError(error, entry.id) : error;
    // What a broken answer cost nobody says; what had come of it is counted.
    const usage = priced(
      asked,
      watched.shownTokens() === 0
        ? NOTHING
        : { inputTokens: estimated, outputTokens: watched.shownTokens(), cachedInputTokens: 0 },
    );
    const isUnknown = isAsked && caller.signal.aborted;
    await settle(reservation, usage, undefined, { isUnknown });
    const { costUsd: _, ...uncosted } = usage;
    const code = caller.signal.aborted ? 'NEXUS_CANCELLED' : 'NEXUS_INTERNAL';
    record(isUnknown ? uncosted : usage, isToolError(failure) ? failure.code : code);
    log.debug('a model call failed', {
      model: entry.id,
      error: failure instanceof Error ? failure.message : String(failure),
    });
    throw failure;
  }
}

const NOTHING = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 };

function toSourceRequest(
  request: FullRequest,
  { entry, caller, emit }: Pick<SourceRequest, 'entry' | 'caller' | 'emit'>,
): SourceRequest {
  const messages = toMessages(request.prompt);
  const faults = historyFaults(messages);
  if (faults.length > 0)
    throw new ToolError(
      'NEXUS_INVALID_ARGUMENTS',
      `The conversation can't be sent to a model: ${faults.join('; ')}.`,
    );
  const most = entry.maxOutputTokens ?? Number.POSITIVE_INFINITY;
  return {
    entry,
    messages,
    system: request.system,
    tools: request.tools ?? [],
    toolChoice: request.toolChoice ?? 'auto',
    outputSchema: request.outputSchema,
    maxOutputTokens: Math.min(request.maxOutputTokens ?? DEFAULT_MAX_OUTPUT_TOKENS, most),
    temperature: request.temperature,
    idempotencyKey: request.idempotencyKey,
    caller,
    emit,
  };
}

/** Notes what was shown: a retry would show it again. */
function watchEvents(onEvent: GenerateRequest['onEvent']) {
  let shown = 0;
  let characters = 0;
  const emit: SourceRequest['emit'] = (event) => {
    if (event.type === 'text' || event.type === 'reasoning') {
      characters += event.text.length;
      if (onEvent) shown += 1;
    }
    onEvent?.(event);
  };
  return { emit, hasShown: () => shown > 0, shownTokens: () => tokensOf(characters) };
}

async function reserve(
  { ledger, onEvent: _, idempotencyKey: __, ...asked }: FullRequest,
  { entry, maxOutputTokens }: SourceRequest,
  inputTokens: number,
): Promise<Reservation | undefined> {
  const usage = { inputTokens, outputTokens: maxOutputTokens, cachedInputTokens: 0 };
  const costUsd = costOf(entry, usage);
  const tokens = inputTokens + maxOutputTokens;
  const estimate = costUsd === undefined ? { tokens, costUsd: 0, isUnpriced: true } : { tokens, costUsd };
  return ledger?.reserve(estimate, `${entry.id} (${asked.category ?? 'general'})`, asked);
}

async function settle(
  reservation: Reservation | undefined,
  usage: ModelUsage,
  answer?: KeptAnswer,
  { isUnknown = false } = {},
): Promise<void> {
  const { inputTokens, outputTokens, costUsd = 0 } = usage;
  const unknown = isUnknown ? { isUnknown } : {};
  await reservation?.settle({ tokens: inputTokens + outputTokens, costUsd, usage, ...unknown }, answer);
}

/** What a ledger keeps of an answer that has come, until it is read. */
interface Arrived {
  readonly model: string;
  readonly raw: RawAnswer;
}

/** An answer as a ledger keeps it, to be read again where its process died before anything was made of it. */
type KeptAnswer = Pick<Generated, 'model' | 'stopReason' | 'usage'> & Pick<SourceAnswer, 'content'>;

function fromKept(value: unknown): Generated {
  return toGenerated(value as KeptAnswer); // of a settle above
}

function usageOf({ usage, content }: SourceAnswer, asked: SourceRequest, estimated: number): ModelUsage {
  if (usage) return priced(asked, usage);
  const counted = {
    inputTokens: estimated,
    outputTokens: textTokens(JSON.stringify(content)),
    cachedInputTokens: 0,
  };
  return { ...priced(asked, counted), isEstimated: true };
}

function priced({ entry }: SourceRequest, usage: NonNullable<SourceAnswer['usage']>): ModelUsage {
  const costUsd = usage.costUsd ?? costOf(entry, usage);
  const { inputTokens, outputTokens, cachedInputTokens } = usage;
  const isEstimated = usage.costUsd === undefined && isUpperBound(entry, usage);
  return {
    inputTokens,
    outputTokens,
    cachedInputTokens,
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(isEstimated && { isEstimated }),
  };
}

function toGenerated({ content, stopReason, model, usage }: KeptAnswer): Generated {
  // An empty message would make the history one that no provider takes.
  const blocks = content.length > 0 ? content : [{ type: 'text' as const, text: '(no answer)' }];
  return {
    message: { role: 'assistant', content: blocks },
    text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    toolUses: content.filter((block) => block.type === 'tool_use'),
    model,
    stopReason,
    usage,
  };
}
