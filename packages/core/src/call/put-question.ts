import type { Answer, AskedQuestion } from '@nexus/plugin-sdk';
import type { Deadline } from '../timeouts/deadline.ts';
import type { ClientRequests } from './client-requests.ts';

/** How long one dialogue stays open; whoever takes longer answers by other ways. */
const DIALOGUE_MS = 600_000;
/** Left of a call's own time when its dialogue ends, to answer that its run waits. */
const MARGIN_MS = 5_000;

interface Putting {
  /** Absent for a call whose client can't be asked. */
  readonly ask: ClientRequests | undefined;
  readonly deadline: Deadline;
}

/**
 * Puts a run's question to the client that waits for it by a call.
 * @returns undefined where it stays open: nobody can be asked there, the dialogue was closed, or its time is over
 */
export async function putQuestion(
  { ask, deadline }: Putting,
  question: AskedQuestion,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  const leftMs = Math.min(DIALOGUE_MS, deadline.at - Date.now() - MARGIN_MS);
  if (!ask || leftMs <= 0 || signal.aborted || deadline.reason) return undefined;
  const dialogue = new AbortController();
  const close = () => dialogue.abort(new Error('The dialogue is over.'));
  const timer = setTimeout(close, leftMs);
  for (const end of [signal, deadline.end]) end.addEventListener('abort', close);
  try {
    return await ask.answer(question, dialogue.signal);
  } catch {
    // It went wrong on the way there, and no person said anything.
    return undefined;
  } finally {
    clearTimeout(timer);
    for (const end of [signal, deadline.end]) end.removeEventListener('abort', close);
  }
}

/**
 * For a call that no client waits by: the question is put by whoever waits for its job, or for the run that it
 * comes from, and may take days. That time is not the call's.
 */
export function waitOutside(deadline: Deadline, signal: AbortSignal): Promise<undefined> {
  const goOn = deadline.hold();
  return new Promise((resolve) => {
    const over = () => {
      goOn();
      resolve(undefined);
    };
    if (signal.aborted) over();
    else signal.addEventListener('abort', over, { once: true });
  });
}
