import { isRecord } from '@nexus/core';
import type { SourceUsage } from '../source.ts';
import { cliFailure, number } from './cli-failure.ts';
import type { CliDialect } from './dialect.ts';

/** Codex, run once in its read-only sandbox. */
export const codex: CliDialect = {
  program: 'codex',
  variables: ['OPENAI_API_KEY', 'CODEX_API_KEY', 'OPENAI_BASE_URL', 'CODEX_HOME'],
  servers: { args: ['mcp', 'list', '--json'], names: namesOf },
  args: (model, servers) => [
    ...['exec', '--json', '--sandbox', 'read-only', '--skip-git-repo-check'],
    // Tables of the user's own file are merged with these, so that an empty one would switch nothing off.
    ...servers.flatMap((name) => ['-c', `mcp_servers.${name}.enabled=false`]),
    ...(model === undefined ? [] : ['--model', model]),
    '-',
  ],
  reader(emit) {
    let text: string | undefined;
    let fault: string | undefined;
    let usage: SourceUsage | undefined;
    return {
      read(value) {
        const { type, item } = value;
        if (
          type === 'item.completed' &&
          isRecord(item) &&
          item.type === 'agent_message' &&
          typeof item.text === 'string'
        ) {
          // The last one is the answer; those before it say what it is about to do.
          text = item.text;
        }
        if (type === 'turn.completed' && isRecord(value.usage)) {
          usage = {
            inputTokens: number(value.usage.input_tokens),
            outputTokens: number(value.usage.output_tokens),
            cachedInputTokens: number(value.usage.cached_input_tokens),
          };
        }
        if (type === 'turn.failed')
          fault = isRecord(value.error) ? String(value.error.message) : 'its turn failed';
      },
      answer() {
        if (fault !== undefined) throw cliFailure(fault);
        if (text === undefined) return undefined;
        emit({ type: 'text', text });
        return { content: [{ type: 'text', text }], stopReason: 'end', usage };
      },
    };
  },
};

/** As keys of its file, which may stand in a setting on the command line. */
const KEY = /^[\w-]+$/;

function namesOf(printed: unknown): string[] {
  const servers: unknown[] = Array.isArray(printed) ? printed : [];
  return servers.flatMap((server) =>
    isRecord(server) && typeof server.name === 'string' && KEY.test(server.name) ? [server.name] : [],
  );
}
