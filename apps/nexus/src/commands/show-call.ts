import { ConnectionError } from '@nexus/client';
import { isRecord, ProtocolError } from '@nexus/core';
import type { ToolCallResult } from '@nexus/plugin-sdk';
import { redactJson } from '@nexus/untrusted/secrets';
import { connectToNexus, type NexusConnection } from '../client/connect-to-nexus.ts';
import { type Options, text } from './command.ts';
import { fail, printJson } from './output.ts';

/** A call that a person has asked for. */
export interface CallToMake {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** How a command comes to its call, shows it, and what comes of it. */
export interface CallShow {
  /** @returns the exit code where it comes to none, and said why */
  prepare(connection: NexusConnection, signal: AbortSignal): Promise<CallToMake | number>;
  readonly progress: { show(report: Readonly<Record<string, unknown>>): void; clear(): void };
  /** On standard output; a failed one on the other. */
  print(result: ToolCallResult): void;
  /** Where a tool refuses its arguments: how to find out about them. */
  argumentsHint?(tool: string): string;
  /** After Ctrl-C. */
  onInterrupted?(): void;
  /** What becomes of the call's work where the server ended in the middle of it; undefined where nobody knows. */
  afterLoss?(): string | undefined;
}

/** Calls a tool for a person, who may end it by Ctrl-C. @returns the exit code */
export async function showCall(options: Options, show: CallShow): Promise<number> {
  const interrupt = new AbortController();
  const { signal } = interrupt;
  const onInterrupt = () => interrupt.abort();
  process.once('SIGINT', onInterrupt);
  const { progress } = show;
  try {
    await using connection = await connectToNexus({
      config: text(options, 'config'),
      verbose: options.verbose === true,
      signal,
    });
    const call = await show.prepare(connection, signal);
    if (typeof call === 'number') return call;
    const params = { name: call.tool, arguments: call.arguments };
    const answer = await connection.request('tools/call', params, { onProgress: progress.show, signal });
    progress.clear();
    const result = answer as unknown as ToolCallResult;
    // What a tool answered is what the person asked for, to the character; what it says when it fails is masked.
    const shown = result.isError ? redactJson(result) : result;
    if (options.json) process.stdout.write(`${JSON.stringify(shown, null, 2)}\n`);
    else show.print(shown);
    if (isAboutArguments(result) && show.argumentsHint) {
      process.stderr.write(`${show.argumentsHint(call.tool)}\n`);
    }
    return result.isError ? 1 : 0;
  } catch (error) {
    progress.clear();
    if (signal.aborted) {
      show.onInterrupted?.();
      return 130;
    }
    const after = error instanceof ConnectionError ? show.afterLoss?.() : undefined;
    if (after !== undefined) return fail(`the server ended in the middle of it. ${after}`);
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
