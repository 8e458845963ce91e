import { isRecord } from '@nexus/core';
import type { SourceUsage } from '../source.ts';
import { cliFailure, number } from './cli-failure.ts';
import type { CliDialect } from './dialect.ts';

/** Gemini CLI without a terminal: it asks for no approval there, so tools that need one are not used. */
export const gemini: CliDialect = {
  program: 'gemini',
  variables: [
    'GEMINI_API_KEY',
    'GEMINI_MODEL',
    'GOOGLE_API_KEY',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'GOOGLE_CLOUD_LOCATION',
    'GOOGLE_CLOUD_PROJECT',
    'GOOGLE_GEMINI_BASE_URL',
    'GOOGLE_GENAI_USE_VERTEXAI',
  ],
  args: (model) => [
    ...['--output-format', 'json', '--approval-mode', 'default'],
    // Of the servers only this one may start, and there is none of this name.
    ...['--allowed-mcp-server-names', 'none-for-nexus'],
    ...(model === undefined ? [] : ['--model', model]),
  ],
  reader(emit) {
    let printed: Readonly<Record<string, unknown>> | undefined;
    return {
      read(value) {
        if ('response' in value || 'error' in value) printed = value;
      },
      answer() {
        if (printed === undefined) return undefined;
        if (isRecord(printed.error)) throw cliFailure(String(printed.error.message));
        if (typeof printed.response !== 'string') return undefined;
        const text = printed.response;
        emit({ type: 'text', text });
        return { content: [{ type: 'text', text }], stopReason: 'end', usage: usageOf(printed.stats) };
      },
    };
  },
};

/** It may have asked more than one model. */
function usageOf(stats: unknown): SourceUsage | undefined {
  if (!isRecord(stats) || !isRecord(stats.models)) return undefined;
  const usage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 };
  for (const model of Object.values(stats.models)) {
    if (!isRecord(model) || !isRecord(model.tokens)) continue;
    usage.inputTokens += number(model.tokens.prompt);
    usage.outputTokens += number(model.tokens.candidates) + number(model.tokens.thoughts);
    usage.cachedInputTokens += number(model.tokens.cached);
  }
  return usage;
}
