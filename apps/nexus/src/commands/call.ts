import { isRecord, ProtocolError } from '@nexus/core';
import type { ToolCallResult } from '@nexus/plugin-sdk';
import { redactJson } from '@nexus/untrusted/secrets';
import { connectToNexus } from '../client/connect-to-nexus.ts';
import { findTool } from '../client/every-tool.ts';
import { progressLine } from '../terminal/progress-line.ts';
import { ARGUMENT_FORMS, argumentFiles, callArguments } from './call-arguments.ts';
import { type Command, configOption, text, verboseOption } from './command.ts';
import { fail, printJson } from './output.ts';

export const call: Command = {
  usage: 'call <tool> [arguments...]',
  summary: `call a tool; its arguments are ${ARGUMENT_FORMS}`,
  needsTrust: true,
  options: [{ flags: '--json', description: 'print the whole result as JSON' }, configOption, verboseOption],
  examples: [
    'call search_codebase query=TODO limit=5',
    `call bundle 'ops:=[{"tool": "memory_stats", "arguments": {}}]'`,
    'call memory_write backend=session key=notes value=@notes.md',
    'call notes__memory__read_graph    # a tool of a toolbox, as `nexus toolbox open` names it',
    `call extract_symbols '{"filePath": "src/index.ts"}'`,
    'call memory_query query="release process" --json',
  ],
  async run([tool, words], options) {
    const interrupt = new AbortController();
    const onInterrupt = () => interrupt.abort();
    process.once('SIGINT', onInterrupt);
    const progress = progressLine(process.stderr);
    try {
      await using connection = await connectToNexus({
        config: text(options, 'config'),
        verbose: options.verbose === true,
        signal: interrupt.signal,
      });
      const known = await findTool(connection, String(tool));
      const schema = known?.listing.inputSchema;
      const args = callArguments((words ?? []) as readonly string[], { schema, ...argumentFiles });
      const params = { name: tool, arguments: args };
      const answer = await connection.request('tools/call', params, {
        onProgress: progress.show,
        signal: interrupt.signal,
      });
      progress.clear();
      const result = answer as unknown as ToolCallResult;
      show(result, options.json === true);
      if (isAboutArguments(result)) {
        process.stderr.write(
          `\`nexus tools ${tool}\` shows its arguments, \`nexus call --help\` how to write them.\n`,
        );
      }
      return result.isError ? 1 : 0;
    } catch (error) {
      progress.clear();
      if (interrupt.signal.aborted) return 130;
      if (!(error instanceof ProtocolError)) throw error;
      if (options.json) {
        printJson({ error: { code: error.code, message: error.message } });
      }
      return fail(error.message);
    } finally {
      process.off('SIGINT', onInterrupt);
    }
  },
};

function isAboutArguments({ _meta }: ToolCallResult): boolean {
  const error = _meta?.['nexus/error'];
  return isRecord(error) && error.code === 'NEXUS_INVALID_ARGUMENTS';
}

/**
 * Structured answers indented, errors on stderr, other content as it is: what a tool answered is what the person
 * asked for, to the character. What it says when it fails is masked, as every error.
 */
function show(result: ToolCallResult, asJson: boolean): void {
  const shown = result.isError ? redactJson(result) : result;
  if (asJson) {
    process.stdout.write(`${JSON.stringify(shown, null, 2)}\n`);
    return;
  }
  if (result.structuredContent && !result.isError) {
    process.stdout.write(`${JSON.stringify(result.structuredContent, null, 2)}\n`);
    return;
  }
  const out = result.isError ? process.stderr : process.stdout;
  for (const block of shown.content) out.write(`${block.text ?? JSON.stringify(block)}\n`);
}
