import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { StdioServer } from '../servers.ts';
import type { Ground } from './ground.ts';
import type { ToolUse } from './work.ts';

const COMMAND_TIMEOUT_MS = 60_000;

/** What a way of working took. */
export interface Took {
  readonly calls: number;
  /** What the model wrote to call, and what it read of the answers. */
  readonly tokens: number;
  readonly answers: readonly string[];
}

export function together(all: readonly Took[]): Took {
  return {
    calls: all.reduce((sum, { calls }) => sum + calls, 0),
    tokens: all.reduce((sum, { tokens }) => sum + tokens, 0),
    answers: all.flatMap(({ answers }) => answers),
  };
}

/** By our tools, through a running server. */
export async function byNexus(uses: readonly ToolUse[], nexus: StdioServer): Promise<Took> {
  const took: Took[] = [];
  for (const { tool, arguments: given } of uses) {
    const answer = await nexus.request('tools/call', { name: tool, arguments: given });
    const { content, isError } = answer as { content: { text?: string }[]; isError?: boolean };
    const text = content.map((block) => block.text ?? '').join('\n');
    if (isError) throw new Error(`${tool} ${JSON.stringify(given)}: ${text}`);
    took.push(oneCall({ name: tool, arguments: given }, text));
  }
  return together(took);
}

/** By a host's shell tool. */
export async function byShell(commands: readonly string[], { folder, env }: Ground): Promise<Took> {
  const took: Took[] = [];
  for (const command of commands) {
    const running = promisify(execFile)('bash', ['-c', command], {
      ...{ cwd: folder, env: { ...env }, maxBuffer: 2 ** 28, timeout: COMMAND_TIMEOUT_MS },
    });
    // As in a host's shell tool: rg would else read what never comes.
    running.child.stdin?.end();
    const { stdout, stderr } = await running;
    took.push(oneCall({ name: 'bash', arguments: { command } }, stdout + stderr));
  }
  return together(took);
}

function oneCall(call: { readonly name: string; readonly arguments: object }, answer: string): Took {
  return { calls: 1, tokens: countTokens(JSON.stringify(call)) + countTokens(answer), answers: [answer] };
}
