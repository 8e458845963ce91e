import { isRecord } from '@nexus/core';
import { ModelFailure } from '../failure.ts';
import type { SourceUsage } from '../source.ts';
import { cliFailure, number } from './cli-failure.ts';
import type { CliDialect } from './dialect.ts';

/** Claude Code, in print mode without tools, servers or a session of its own. */
export const claude: CliDialect = {
  program: 'claude',
  variables: [
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_AUTH_TOKEN',
    'ANTHROPIC_BASE_URL',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'CLAUDE_CONFIG_DIR',
  ],
  args: (model) => [
    ...['--print', '--output-format', 'stream-json', '--verbose', '--include-partial-messages'],
    // Its configured servers may hold this very one.
    ...['--strict-mcp-config', '--tools', '', '--no-session-persistence'],
    ...(model === undefined ? [] : ['--model', model]),
  ],
  reader(emit) {
    let result: Readonly<Record<string, unknown>> | undefined;
    return {
      read(value) {
        if (value.type === 'result') result = value;
        if (value.type !== 'stream_event' || !isRecord(value.event)) return;
        const { delta } = value.event;
        if (isRecord(delta) && delta.type === 'text_delta' && typeof delta.text === 'string')
          emit({ type: 'text', text: delta.text });
      },
      answer() {
        if (result === undefined) return undefined;
        const text = typeof result.result === 'string' ? result.result : '';
        if (result.stop_reason === 'refusal')
          throw new ModelFailure('refused', text || 'it declined to answer');
        if (result.is_error === true || result.subtype !== 'success')
          throw cliFailure(text || String(result.subtype));
        const isCut = result.stop_reason === 'max_tokens';
        return {
          content: [{ type: 'text', text }],
          stopReason: isCut ? 'length' : 'end',
          usage: usageOf(result),
        };
      },
    };
  },
};

function usageOf({
  usage,
  total_cost_usd: cost,
}: Readonly<Record<string, unknown>>): SourceUsage | undefined {
  if (!isRecord(usage)) return undefined;
  const cachedInputTokens = number(usage.cache_read_input_tokens);
  return {
    inputTokens: number(usage.input_tokens) + number(usage.cache_creation_input_tokens) + cachedInputTokens,
    outputTokens: number(usage.output_tokens),
    cachedInputTokens,
    ...(typeof cost === 'number' ? { costUsd: cost } : {}),
  };
}
