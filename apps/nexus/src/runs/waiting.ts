import { ANSWER_MS, endsWithin, isRecord } from '@nexus/core';
import type { AskedQuestion, ToolCallResult } from '@nexus/plugin-sdk';
import type { Client } from '../client/connect-to-nexus.ts';
import { questionLines } from '../terminal/question-lines.ts';
import { shownId } from '../terminal/short-id.ts';
import { readPage } from './follow-run.ts';

/** A run that waits for a person is looked at when it changes, which its server says, and now and then. */
const LOOK_MS = 15_000;

/** What a server says of the resources that it was asked to watch. */
export interface Updates {
  /** Takes each notification of the connection. */
  heard(method: string): void;
  /** Until something is changed after this call, or the time is over; or until it is disposed of. */
  next(ms: number, signal: AbortSignal): Disposable & { readonly changed: Promise<void> };
}

export function resourceUpdates(): Updates {
  const waiting = new Set<() => void>();
  return {
    heard(method) {
      if (method === 'notifications/resources/updated') for (const wake of waiting) wake();
    },
    next(ms, signal) {
      let wake = () => {};
      const changed = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const timer = setTimeout(wake, ms);
      waiting.add(wake);
      signal.addEventListener('abort', wake);
      if (signal.aborted) wake();
      return {
        changed,
        [Symbol.dispose]() {
          clearTimeout(timer);
          waiting.delete(wake);
          signal.removeEventListener('abort', wake);
        },
      };
    },
  };
}

/** The run that a call did not wait out, since it waits for a person. */
export function waitingRun({ _meta }: ToolCallResult): string | undefined {
  const error = _meta?.['nexus/error'];
  const { code, detail } = (isRecord(error) ? error : {}) as { code?: unknown; detail?: { state?: unknown } };
  return code === 'NEXUS_INPUT_REQUIRED' && typeof detail?.state === 'string' ? detail.state : undefined;
}

/** What it asks now. */
export async function asksOf(client: Client, runId: string): Promise<readonly AskedQuestion[]> {
  const { asks = [] } = await readPage(client, runId);
  return asks;
}

/** The same for a person, and how each is answered. */
export function waitingLines(runId: string, asks: readonly AskedQuestion[]): string[] {
  return [
    `Run ${shownId(runId)} waits for a person:`,
    ...asks.flatMap((question) => ['', ...questionLines(question)]),
  ];
}

/**
 * Until it asks something else than these, or nothing.
 * @throws the signal's reason
 */
export async function untilAnswered(
  client: Client,
  {
    runId,
    asks,
    updates,
    signal,
  }: { runId: string; asks: readonly AskedQuestion[]; updates: Updates; signal: AbortSignal },
): Promise<void> {
  const keys = (questions: readonly AskedQuestion[]) =>
    questions.map((each) => `${each.runId}/${each.name}`).join('\n');
  for (const id of new Set([runId, ...asks.map((asked) => asked.runId)])) {
    const uri = `nexus://runs/${id}`;
    await client.request('resources/subscribe', { uri }, { signal: endsWithin(ANSWER_MS) });
  }
  while (asks.length > 0) {
    signal.throwIfAborted();
    // What changes while it is looked at counts too.
    using next = updates.next(LOOK_MS, signal);
    if (keys(await asksOf(client, runId)) !== keys(asks)) return;
    await next.changed;
  }
}
