import { isRecord } from '@nexus/core';
import { cliFailure, number } from './cli-failure.ts';
import type { CliDialect } from './dialect.ts';

/** opencode, run once with the agent that only plans, and everything that changes something denied. */
export const opencode: CliDialect = {
  program: 'opencode',
  variables: [
    'ANTHROPIC_API_KEY',
    'GEMINI_API_KEY',
    'OPENAI_API_KEY',
    'OPENCODE_API_KEY',
    'OPENCODE_CONFIG',
    'OPENCODE_DISABLE_AUTOUPDATE',
    'OPENCODE_DISABLE_MODELS_FETCH',
    'OPENROUTER_API_KEY',
  ],
  fixed: { OPENCODE_PERMISSION: '{"edit":"deny","bash":"deny","webfetch":"deny"}' },
  servers: {
    args: ['debug', 'config'],
    names: (printed) => (isRecord(printed) && isRecord(printed.mcp) ? Object.keys(printed.mcp) : []),
    off: (servers) => ({
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        mcp: Object.fromEntries(servers.map((name) => [name, { enabled: false }])),
      }),
    }),
  },
  args: (model) => [
    ...['run', '--format', 'json', '--agent', 'plan'],
    ...(model === undefined ? [] : ['--model', model]),
  ],
  reader(emit) {
    const texts: string[] = [];
    let fault: string | undefined;
    const usage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, costUsd: 0 };
    let hasUsage = false;
    return {
      read({ type, part, error }) {
        if (type === 'text' && isRecord(part) && typeof part.text === 'string') {
          texts.push(part.text);
          emit({ type: 'text', text: part.text });
        }
        if (type === 'error') fault = messageOf(error);
        if (type !== 'step_finish' || !isRecord(part) || !isRecord(part.tokens)) return;
        const { tokens } = part;
        const cached = isRecord(tokens.cache) ? number(tokens.cache.read) : 0;
        hasUsage = true;
        usage.inputTokens += number(tokens.input) + cached;
        usage.outputTokens += number(tokens.output) + number(tokens.reasoning);
        usage.cachedInputTokens += cached;
        usage.costUsd += number(part.cost);
      },
      answer() {
        if (fault !== undefined) throw cliFailure(fault);
        if (texts.length === 0) return undefined;
        const text = texts.join('');
        return { content: [{ type: 'text', text }], stopReason: 'end', usage: hasUsage ? usage : undefined };
      },
    };
  },
};

function messageOf(error: unknown): string {
  if (!isRecord(error)) return String(error);
  const inner = isRecord(error.data) ? error.data.message : undefined;
  return String(inner ?? error.message ?? error.name);
}
