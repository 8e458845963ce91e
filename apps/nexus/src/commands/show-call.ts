import { isRecord, ProtocolError } from '@nexus/core';
import type { ToolCallResult } from '@nexus/plugin-sdk';
import { redactJson } from '@nexus/untrusted/secrets';
import { connectToNexus } from '../client/connect-to-nexus.ts';
import { findTool } from '../client/every-tool.ts';
import { type Options, text } from './command.ts';
import { fail, printJson } from './output.ts';

export interface CallToShow {
  readonly tool: string;
  readonly words: readonly string[];
  readonly options: Options;
}

/** How a command shows a call, and what comes of it. */
export interface CallShow {
  /** @param schema the tool's `inputSchema`, where it is known */
  readArguments(words: readonly string[], schema: ToolSchema): Record<string, unknown>;
  readonly progress: { show(report: Readonly<Record<string, unknown>>): void; clear(): void };
  /** On standard output; a failed one on the other. */
  print(result: ToolCallResult): void;
  /** After Ctrl-C. */
  onInterrupted?(): void;
}

export type ToolSchema = Readonly<Record<string, unknown>> | undefined;

/** Calls a tool for a person, who may end it by Ctrl-C. @returns the exit code */
export async function showCall({ tool, words, options }: CallToShow, show: CallShow): Promise<number> {
  const interrupt = new AbortController();
  const onInterrupt = () => interrupt.abort();
  process.once('SIGINT', onInterrupt);
  const { progress } = show;
  try {
    await using connection = await connectToNexus({
      config: text(options, 'config'),
      verbose: options.verbose === true,
      signal: interrupt.signal,
    });
    const known = await findTool(connection, tool);
    const args = show.readArguments(words, known?.listing.inputSchema);
    const params = { name: tool, arguments: args };
    const answer = await connection.request('tools/call', params, {
      onProgress: progress.show,
      signal: interrupt.signal,
    });
    progress.clear();
    const result = answer as unknown as ToolCallResult;
    // What a tool answered is what the person asked for, to the character; what it says when it fails is masked.
    const shown = result.isError ? redactJson(result) : result;
    if (options.json) process.stdout.write(`${JSON.stringify(shown, null, 2)}\n`);
    else show.print(shown);
    if (isAboutArguments(result)) {
      process.stderr.write(
        `\`nexus tools ${tool}\` shows its arguments, \`nexus call --help\` how to write them.\n`,
      );
    }
    return result.isError ? 1 : 0;
  } catch (error) {
    progress.clear();
    if (interrupt.signal.aborted) {
      show.onInterrupted?.();
      return 130;
    }
    if (!(error instanceof ProtocolError)) throw error;
    if (options.json) printJson({ error: { code: error.code, message: error.message } });
    return fail(error.message);
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}

function isAboutArguments({ _meta }: ToolCallResult): boolean {
  const error = _meta?.['nexus/error'];
  return isRecord(error) && error.code === 'NEXUS_INVALID_ARGUMENTS';
}
