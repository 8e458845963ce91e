import { setTimeout as pause } from 'node:timers/promises';
import { ANSWER_MS, endsWithin } from '@nexus/core';
import type { RunDetail } from '@nexus/plugin-sdk';
import type { Client } from '../client/connect-to-nexus.ts';
import type { Updates } from './waiting.ts';
import { wholeRun } from './whole-run.ts';

/** Of what changes all the time, what a person sees. */
const GATHER_MS = 200;
/** How long nothing may be heard before it is looked at all the same. */
const LOOK_MS = 3_000;

/** With all its steps. */
export function readRun(client: Client, runId: string): Promise<RunDetail> {
  return wholeRun((id, after) => readPage(client, id, after), runId);
}

/** The beginning of its steps, and all else of it; or what comes after another page. */
export async function readPage(client: Client, runId: string, after?: number): Promise<RunDetail> {
  const page = after === undefined ? '' : `/after/${after}`;
  const { contents } = await client.request(
    'resources/read',
    { uri: `nexus://runs/${runId}${page}` },
    { signal: endsWithin(ANSWER_MS) },
  );
  const [content] = contents as readonly { readonly text: string }[]; // of this build's server
  return JSON.parse(content?.text ?? '{}') as RunDetail;
}

/**
 * Has each change of a run shown, until the signal fires. What can't be read is not shown: the call that waits for the
 * run says what is wrong.
 */
export async function followRun(
  client: Client,
  runId: string,
  { updates, show, signal }: { updates: Updates; show(run: RunDetail): void; signal: AbortSignal },
): Promise<void> {
  try {
    const uri = `nexus://runs/${runId}`;
    await client.request('resources/subscribe', { uri }, { signal: endsWithin(ANSWER_MS) });
    while (!signal.aborted) {
      // What changes while it is looked at counts too.
      using next = updates.next(LOOK_MS, signal);
      const run = await readRun(client, runId);
      if (signal.aborted) return;
      show(run);
      await next.changed;
      await pause(GATHER_MS, undefined, { signal });
    }
  } catch {
    return;
  }
}
