import { ConnectionError, offersNothing } from '@nexus/client';
import { endsWithin, isRecord, LEAVES_RUN_META, LONGEST_MS, ProtocolError } from '@nexus/core';
import { asToolCallResult, type RunDetail, type ToolCallResult } from '@nexus/plugin-sdk';
import { redactJson, redactText } from '@nexus/untrusted/secrets';
import { connectToNexus, type NexusConnection } from '../client/connect-to-nexus.ts';
import { askRuns } from '../runs/ask-runs.ts';
import { carryHere, INTERRUPTED, WAITS } from '../runs/carry.ts';
import { followRun, readRun } from '../runs/follow-run.ts';
import { canAsk, personAtTerminal } from '../runs/person-at-terminal.ts';
import { asksOf, resourceUpdates, untilAnswered, waitingLines, waitingRun } from '../runs/waiting.ts';
import { confirm } from '../terminal/confirm.ts';
import { fail, printJson, say } from '../terminal/output.ts';
import { shownId } from '../terminal/short-id.ts';
import { type Options, text } from './command.ts';

/** A call that a person has asked for. */
export interface CallToMake {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** How a command comes to its call, shows it, and what comes of it. */
export interface CallShow {
  /** @returns the exit code where it comes to none, and said why */
  prepare(connection: NexusConnection, signal: AbortSignal): Promise<CallToMake | number>;
  readonly progress: {
    show(report: Readonly<Record<string, unknown>>): void;
    clear(): void;
    /** How the run of the call stands now; without it nobody asks. */
    follow?(run: RunDetail): void;
  };
  /** On standard output; a failed one on the other. @param run of the call, as it ended, where it was followed or failed */
  print(result: ToolCallResult, run?: RunDetail): void;
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
      const said = RUN_BEGAN.exec(String(report.message))?.[1];
      // A call that waits for it again says so again.
      if (said !== undefined && said === begun) return;
      if (begun === undefined && said !== undefined) {
        begun = said;
        hasBegun(said);
      }
      if (!signal.aborted) show.progress.show(report);
    },
    clear: show.progress.clear,
  };
  let lookOnce = async () => {};
  const person = canAsk() ? personAtTerminal(shown, () => lookOnce()) : undefined;
  const progress = person?.progress ?? shown;
  const offers = person?.offers ?? offersNothing;
  const updates = resourceUpdates();
  const following = new AbortController();
  let hasBegun = (_runId: string) => {};
  const sayHowToComeBack = (runId: string) =>
    [
      `${isShared ? 'It goes on without this command' : 'What is done is kept, and the next server goes on with it'}. To see it, to wait for it again, to end it:`,
      `  nexus runs ${shownId(runId)}`,
      `  ${show.comeBack} ${RESUME} runId=${shownId(runId)}`,
      `  nexus runs cancel ${shownId(runId)}`,
    ].forEach(say);
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
    const { follow } = show.progress;
    hasBegun = (runId) => {
      const draw = (run: RunDetail) => void (person?.isAsking() || signal.aborted || follow?.(run));
      if (!follow) return;
      void followRun(connection, runId, { updates, show: draw, signal: following.signal });
      lookOnce = async () => {
        const run = await readRun(connection, runId).catch(() => undefined);
        if (run && !signal.aborted) follow(run);
      };
    };
    const prepared = await show.prepare(connection, signal);
    if (typeof prepared === 'number') return prepared;
    const call = await withWholeId(prepared, text(options, 'config'));
    const request = async ({ tool, arguments: args }: CallToMake) => {
      const params = { name: tool, arguments: args, _meta: { [LEAVES_RUN_META]: true } };
      const asked = connection.request('tools/call', params, {
        onProgress: progress.show,
        signal: endsWithin(LONGEST_MS, cancelled.signal),
      });
      const answer = await Promise.race([asked, left]);
      if (!follow) progress.clear();
      return asToolCallResult(answer);
    };
    let result = await request(call);
    if (isShownFirst(result)) {
      progress.clear();
      const isMeant = options.yes === true || (canAsk() ? await isMeantSo(result) : undefined);
      if (isMeant === false) return fail('nothing was done');
      if (isMeant === true) result = await request(call);
      else say('Each command is a session of its own; `--yes` does it without a question.');
    }
    for (let runId = waitingRun(result); runId !== undefined; runId = waitingRun(result)) {
      const asks = await asksOf(connection, runId);
      progress.clear();
      // A question that was left open just now stands above, with the command that answers it.
      const others = asks.filter((question) => person?.hasLeft(question) !== true);
      if (others.length > 0) for (const line of waitingLines(runId, others)) say(line);
      if (!show.waits) {
        // What goes on beside the question is done here, where no server does it: it would be cut off.
        await Promise.race([connection.carryAll({ signal }, runId), left]);
        if (options.json) printJson(result);
        progress.clear();
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
    following.abort();
    const ended =
      begun === undefined || !(follow || result.isError)
        ? undefined
        : await readRun(connection, begun).catch(() => undefined);
    if (ended) follow?.(ended);
    progress.clear();
    // What a tool answered is what the person asked for, to the character; what it says when it fails is masked.
    const told = result.isError ? redactJson(result) : result;
    if (options.json) process.stdout.write(`${JSON.stringify(told, null, 2)}\n`);
    else show.print(told, ended);
    if (isAboutArguments(result) && show.argumentsHint) {
      say(show.argumentsHint(call.tool));
    }
    // What a job, or a run that is not waited for, was begun by ends with this process.
    const resumed = call.tool === RESUME ? call.arguments.runId : undefined;
    const jobId = jobOf(call, result);
    const carried = await carryHere(
      (how) => connection.carryAll(how, typeof resumed === 'string' ? resumed : undefined),
      { signal, of: jobId ?? begun, told: result.isError ? ended : undefined, say },
    );
    if (result.isError) return 1;
    if (jobId === undefined) return carried === INTERRUPTED ? carried : 0;
    // A server goes on with it; else its work was done here, and what it came to is this command's end.
    say(`\`nexus jobs ${shownId(jobId)}\` shows ${isShared ? 'how it stands' : 'what it came to'}.`);
    return carried;
  } catch (error) {
    progress.clear();
    if (signal.aborted) return INTERRUPTED;
    if (begun !== undefined && error instanceof ConnectionError) {
      return fail(
        `the server ended in the middle of it. What is done is kept, and the next server goes on with it: \`nexus runs ${shownId(begun)}\` shows it.`,
      );
    }
    if (!(error instanceof ProtocolError)) throw error;
    if (options.json) printJson({ error: { code: error.code, message: error.message } });
    return fail(error.message);
  } finally {
    following.abort();
    progress.clear();
    process.off('SIGINT', onInterrupt);
  }
}

/** A person may write the beginning of an id, which a tool takes whole alone. */
async function withWholeId(call: CallToMake, config: string | undefined): Promise<CallToMake> {
  const { runId } = call.arguments;
  if (call.tool !== RESUME || typeof runId !== 'string' || WHOLE_ID.test(runId)) return call;
  const { id } = await askRuns<RunDetail>({ what: 'show', id: runId }, config);
  return { ...call, arguments: { ...call.arguments, runId: id } };
}

const WHOLE_ID = /^(run|job)_[0-9a-f]{32}$/;

/** Of a call that was to be a job, and whose answer is no more than that. */
function jobOf(
  { arguments: { dispatch } }: CallToMake,
  { structuredContent, isError }: ToolCallResult,
): string | undefined {
  const { jobId } = structuredContent ?? {};
  return dispatch === 'async' && !isError && typeof jobId === 'string' ? jobId : undefined;
}

/** A tool that destroys says first what, to a session that has not seen it; each command is a session of its own. */
function isShownFirst({ _meta }: ToolCallResult): boolean {
  const error = _meta?.['nexus/error'];
  return isRecord(error) && isRecord(error.detail) && error.detail.isShownFirst === true;
}

async function isMeantSo({ content }: ToolCallResult): Promise<boolean> {
  for (const { text: shown = '' } of content) say(redactText(shown));
  return (await confirm('Do it?')) === true;
}

function isAboutArguments({ _meta }: ToolCallResult): boolean {
  const error = _meta?.['nexus/error'];
  return isRecord(error) && error.code === 'NEXUS_INVALID_ARGUMENTS';
}
