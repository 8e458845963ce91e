import { setTimeout as sleep } from 'node:timers/promises';
import {
  askOwner,
  type MeetingPoint,
  type Question,
  type QuestionDetails,
  readPointer,
} from '@nexus/transports/ipc';
import { createLog } from '../log.ts';

interface Asked {
  readonly question: Question;
  readonly details: QuestionDetails | undefined;
  /** After so long it is looked whether the server answers at all, which may take as long again. */
  readonly patienceMs: number;
}

/**
 * Asks the server that is met there, and waits as long as it is well: one that takes long over an answer still
 * answers what is asked beside.
 * @returns undefined where none runs
 * @throws {Error} naming the process that answers nothing
 */
export async function askPatiently(
  point: MeetingPoint,
  { question, details, patienceMs }: Asked,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const over = new AbortController();
  const answered = askOwner(question, { point, log: createLog('error'), signal: over.signal }, details);
  const settled = answered.then(
    () => true,
    () => true,
  );
  try {
    while (!(await Promise.race([settled, sleep(patienceMs, false, { ref: false })]))) {
      if (!(await answersAtAll(point, patienceMs))) throw await silentServer(point, 2 * patienceMs);
    }
    return await answered;
  } finally {
    over.abort();
  }
}

async function answersAtAll(point: MeetingPoint, patienceMs: number): Promise<boolean> {
  const signal = AbortSignal.timeout(patienceMs);
  return askOwner('status', { point, log: createLog('error'), signal }).then(
    () => true,
    () => !signal.aborted,
  );
}

async function silentServer(point: MeetingPoint, afterMs: number): Promise<Error> {
  const pid = (await readPointer(point.pointerPath))?.pid;
  return new Error(
    `the running server, process ${pid}, did not answer within ${afterMs / 1000} s: it is stopped or overloaded. If you end that process, another goes on.`,
  );
}
