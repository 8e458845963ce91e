import { newSpanId } from '@nexus/core';
import type { ModelUsage, Spans, Trace } from '@nexus/plugin-sdk';
import type { SourceAnswer, SourceRequest } from '../source.ts';
import { messageAttributes } from './message-parts.ts';

/** The providers that the GenAI conventions know by another name than ours. */
const WELL_KNOWN: Readonly<Record<string, string>> = {
  google: 'gcp.gemini',
  gemini: 'gcp.gemini',
  claude: 'anthropic',
  codex: 'openai',
  mistral: 'mistral_ai',
  xai: 'x_ai',
};

interface ModelOutcome {
  readonly usage: ModelUsage;
  /** `ok`, or the code of its error. */
  readonly outcome: string;
  readonly answer?: SourceAnswer | undefined;
}

/**
 * A call of a model, all its attempts included, as the client's inference span of semantic-conventions-genai.
 * @returns how to end it; undefined where nobody takes it
 */
export function modelSpan(
  spans: Spans | undefined,
  trace: Trace | undefined,
  { entry, request, startedAt }: Pick<SourceRequest, 'entry'> & { request: SourceRequest; startedAt: number },
): ((outcome: ModelOutcome) => void) | undefined {
  if (!spans || !trace || !spans.wants(trace)) return undefined;
  return ({ usage, outcome, answer }) =>
    spans.end({
      name: `chat ${entry.name}`,
      kind: 'client',
      traceId: trace.traceId,
      spanId: newSpanId(),
      parentId: trace.parentId,
      family: trace.family,
      startMs: startedAt,
      endMs: Date.now(),
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': WELL_KNOWN[entry.provider] ?? entry.provider,
        'gen_ai.request.model': entry.name,
        'gen_ai.request.max_tokens': request.maxOutputTokens,
        'gen_ai.request.temperature': request.temperature,
        'gen_ai.output.type': request.outputSchema ? 'json' : undefined,
        'gen_ai.response.finish_reasons': [answer?.stopReason ?? 'error'],
        'gen_ai.usage.input_tokens': usage.inputTokens,
        'gen_ai.usage.output_tokens': usage.outputTokens,
        'gen_ai.usage.cache_read.input_tokens': usage.cachedInputTokens,
        'nexus.cost.usd': usage.costUsd,
        ...(outcome === 'ok' ? {} : { 'error.type': outcome }),
        ...(spans.contents && messageAttributes(request, answer)),
      },
      error: outcome === 'ok' ? undefined : outcome,
    });
}
