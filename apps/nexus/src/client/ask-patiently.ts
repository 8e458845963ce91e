import { setTimeout as sleep } from 'node:timers/promises';
import {
  askOwner,
  type MeetingPoint,
  type Question,
  type QuestionDetails,
  readPointer,
} from '@nexus/transports/ipc';
import { createLog } from '../log.ts';
import { say } from '../terminal/output.ts';

interface Asked {
  readonly question: Question;
  readonly details: QuestionDetails | undefined;
  /** After so long it is looked whether the server answers at all, which may take as long again. */
  readonly patienceMs: number;
}

/**
 * Asks the server that is met there, and waits as long as it is well: one that takes long over an answer, or waits for
 * its database, still answers what is asked beside.
 * @returns undefined where none runs
 * @throws {Error} naming the process that answers nothing
 */
export async function askPatiently(
  point: MeetingPoint,
  { question, details, patienceMs }: Asked,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const over = new AbortController();
  // Whether it hangs is looked at here, and not by how long this answer takes.
  const patient = {
    point,
    log: createLog('error'),
    signal: over.signal,
    patienceMs: Number.POSITIVE_INFINITY,
  };
  const answered = askOwner(question, patient, details);
  const settled = answered.then(
    () => true,
    () => true,
  );
  let isTold = false;
  try {
    while (!(await Promise.race([settled, sleep(patienceMs, false, { ref: false })]))) {
      const state = await pinged(point, patienceMs);
      if (state === 'silent') throw await silentServer(point, 2 * patienceMs);
      if (state === 'waits' && !isTold) say(await waitingServer(point));
      isTold ||= state === 'waits';
    }
    return await answered;
  } finally {
    over.abort();
  }
}

/** How the server is; one that refuses or has gone is not silent. */
async function pinged(point: MeetingPoint, patienceMs: number): Promise<'well' | 'waits' | 'silent'> {
  const signal = AbortSignal.timeout(patienceMs);
  return askOwner('ping', { point, log: createLog('error'), signal }).then(
    (state) => (state?.isStoreAway === true ? 'waits' : 'well'),
    () => (signal.aborted ? 'silent' : 'well'),
  );
}

async function waitingServer(point: MeetingPoint): Promise<string> {
  const pid = (await readPointer(point.pointerPath))?.pid;
  return `The running server, process ${pid}, is well and waits for its database, which does not answer; \`nexus doctor\` says why.`;
}

async function silentServer(point: MeetingPoint, afterMs: number): Promise<Error> {
  const pid = (await readPointer(point.pointerPath))?.pid;
  return new Error(
    `the running server, process ${pid}, did not answer within ${afterMs / 1000} s: it is stopped or overloaded. If you end that process, another goes on.`,
  );
}
