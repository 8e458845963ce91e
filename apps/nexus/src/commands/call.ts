import { ProtocolError } from '@nexus/core';
import type { ToolCallResult } from '@nexus/plugin-sdk';
import { connect } from '../client/connect.ts';
import { progressLine } from '../terminal/progress-line.ts';
import { callArguments } from './call-arguments.ts';
import { type Command, configOption, text, verboseOption } from './command.ts';

export const call: Command = {
  usage: 'call <tool> [arguments...]',
  summary: 'call a tool; arguments as JSON, or as key=value',
  options: [{ flags: '--json', description: 'print the whole result as JSON' }, configOption, verboseOption],
  examples: [
    'call search_codebase query=TODO limit=5',
    `call extract_symbols '{"filePath": "src/index.ts"}'`,
    'call memory_query query="release process" --json',
  ],
  async run([tool, words], options) {
    const args = callArguments((words ?? []) as readonly string[]);
    const interrupt = new AbortController();
    const onInterrupt = () => interrupt.abort();
    process.once('SIGINT', onInterrupt);
    const progress = progressLine(process.stderr);
    try {
      await using connection = await connect({
        config: text(options, 'config'),
        verbose: options.verbose === true,
        signal: interrupt.signal,
      });
      const params = { name: tool, arguments: args };
      const answer = await connection.request('tools/call', params, {
        onProgress: progress.show,
        signal: interrupt.signal,
      });
      progress.clear();
      const result = answer as unknown as ToolCallResult;
      if (options.json) process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
      else print(result);
      return result.isError ? 1 : 0;
    } catch (error) {
      progress.clear();
      if (interrupt.signal.aborted) return 130;
      if (!(error instanceof ProtocolError)) throw error;
      if (options.json) {
        process.stdout.write(`${JSON.stringify({ error: { code: error.code, message: error.message } })}\n`);
      }
      process.stderr.write(`nexus: ${error.message}\n`);
      return 1;
    } finally {
      process.off('SIGINT', onInterrupt);
    }
  },
};

/** Structured answers indented, errors on stderr, other content as it is. */
function print(result: ToolCallResult): void {
  if (result.structuredContent && !result.isError) {
    process.stdout.write(`${JSON.stringify(result.structuredContent, null, 2)}\n`);
    return;
  }
  const out = result.isError ? process.stderr : process.stdout;
  for (const block of result.content) out.write(`${block.text ?? JSON.stringify(block)}\n`);
}
