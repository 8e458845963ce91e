import { ConnectionError, offersNothing } from '@nexus/client';
import { endsWithin, isRecord, LEAVES_RUN_META, LONGEST_MS, ProtocolError } from '@nexus/core';
import type { ToolCallResult } from '@nexus/plugin-sdk';
import { redactJson } from '@nexus/untrusted/secrets';
import { connectToNexus, type NexusConnection } from '../client/connect-to-nexus.ts';
import { carryHere, INTERRUPTED, WAITS } from '../runs/carry.ts';
import { canAsk, personAtTerminal } from '../runs/person-at-terminal.ts';
import { asksOf, resourceUpdates, untilAnswered, waitingLines, waitingRun } from '../runs/waiting.ts';
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
  /** Whether a run that waits for a person is waited for, however long. */
  readonly waits?: boolean;
  /** How the person has the run of a call waited for again. */
  readonly comeBack: `nexus ${string}`;
}

const RESUME = 'resume_run';

/** What a tool that is a run says first. */
const RUN_BEGAN = /^run (run_[0-9a-f]{32})$/;

/**
 * Calls a tool for a person. Ctrl-C ends the command: a run that is on record by then is left to go on, by the server
 * or the next one, which is said at once, and anything else is cancelled. A second one ends the process as it stands.
 * @returns the exit code
 */
export async function showCall(options: Options, show: CallShow): Promise<number> {
  const interrupt = new AbortController();
  const { signal } = interrupt;
  const cancelled = new AbortController();
  let isShared = false;
  let begun: string | undefined;
  let isAnswered = false;
  let onInterrupt = () => {};
  const left = new Promise<never>((_, reject) => {
    onInterrupt = () => {
      interrupt.abort();
      reject(signal.reason);
      if (begun === undefined) cancelled.abort(signal.reason);
      else if (!isAnswered) {
        // Before what is to be written down, which may take its time.
        progress.clear();
        sayHowToComeBack(begun);
      }
    };
  });
  left.catch(() => {});
  // A second one finds nobody who listens, and ends the process at once.
  process.once('SIGINT', onInterrupt);
  const shown: CallShow['progress'] = {
    show(report) {
      begun ??= RUN_BEGAN.exec(String(report.message))?.[1];
      if (!signal.aborted) show.progress.show(report);
    },
    clear: show.progress.clear,
  };
  const person = canAsk() ? personAtTerminal(shown) : undefined;
  const progress = person?.progress ?? shown;
  const offers = person?.offers ?? offersNothing;
  const updates = resourceUpdates();
  const sayHowToComeBack = (runId: string) =>
    process.stderr.write(
      `${isShared ? 'It goes on without this command' : 'What is done is kept, and the next server goes on with it'}: \`nexus runs ${runId}\` shows it, \`${show.comeBack} ${RESUME} runId=${runId}\` waits for it again, \`nexus runs cancel ${runId}\` ends it.\n`,
    );
  try {
    await using connection = await connectToNexus({
      config: text(options, 'config'),
      verbose: options.verbose === true,
      signal,
      isLeft: () => begun !== undefined,
      offers: {
        capabilities: offers.capabilities,
        listener: { ...offers.listener, notification: updates.heard },
      },
    });
    ({ isShared } = connection);
    const call = await show.prepare(connection, signal);
    if (typeof call === 'number') return call;
    const request = async ({ tool, arguments: args }: CallToMake) => {
      const params = { name: tool, arguments: args, _meta: { [LEAVES_RUN_META]: true } };
      const asked = connection.request('tools/call', params, {
        onProgress: progress.show,
        signal: endsWithin(LONGEST_MS, cancelled.signal),
      });
      const answer = await Promise.race([asked, left]);
      progress.clear();
      return answer as unknown as ToolCallResult;
    };
    let result = await request(call);
    for (let runId = waitingRun(result); runId !== undefined; runId = waitingRun(result)) {
      const asks = await asksOf(connection, runId);
      for (const line of waitingLines(runId, asks)) process.stderr.write(`${line}\n`);
      if (!show.waits) {
        if (options.json) printJson(result);
        sayHowToComeBack(runId);
        if (!person?.hasLeft()) return WAITS;
        // That was the first.
        process.off('SIGINT', onInterrupt);
        return INTERRUPTED;
      }
      await untilAnswered(connection, { runId, asks, updates, signal });
      result = await request({ tool: RESUME, arguments: { runId } });
    }
    isAnswered = true;
    // What a tool answered is what the person asked for, to the character; what it says when it fails is masked.
    const told = result.isError ? redactJson(result) : result;
    if (options.json) process.stdout.write(`${JSON.stringify(told, null, 2)}\n`);
    else show.print(told);
    if (isAboutArguments(result) && show.argumentsHint) {
      process.stderr.write(`${show.argumentsHint(call.tool)}\n`);
    }
    // What a job, or a run that is not waited for, was begun by ends with this process.
    const resumed = call.tool === RESUME ? call.arguments.runId : undefined;
    const carried = await carryHere(
      (leave) => connection.carryAll(leave, typeof resumed === 'string' ? resumed : undefined),
      { signal, say: (line) => process.stderr.write(`${line}\n`) },
    );
    return result.isError ? 1 : carried === INTERRUPTED ? carried : 0;
  } catch (error) {
    progress.clear();
    if (signal.aborted) return INTERRUPTED;
    if (begun !== undefined && error instanceof ConnectionError) {
      return fail(
        `the server ended in the middle of it. What is done is kept, and the next server goes on with it: \`nexus runs ${begun}\` shows it.`,
      );
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
