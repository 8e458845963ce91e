import { setTimeout as sleep } from 'node:timers/promises';
import { joinSignals } from '@nexus/primitives';
import type { Host } from './host.ts';
import type { Item } from './item.ts';
import { type Answer, type Made, workKindOf } from './work-kinds.ts';

/** What a client was told of its work in the end. */
export type Told =
  | { readonly host: string; readonly answer: Answer }
  | { readonly host: string; readonly error: ToldError };

export interface ToldError {
  readonly code: string;
  readonly message: string;
}

/** What became of an item, as its clients saw it. */
export interface Asked {
  readonly item: Item;
  /** Every last word that any of its clients had; they are to be the same. */
  readonly told: readonly Told[];
  /** The job that it was told of; it must not be lost. */
  readonly jobId: string | undefined;
  /** Errors that said that it may be tried again, and how often. */
  readonly retried: ReadonlyMap<string, number>;
  readonly tookMs: number;
}

/** One answer of a server: a last word, or that it may be tried again. */
type Heard = Told | { readonly retry: string };

export interface Asking {
  readonly item: Item;
  readonly hosts: readonly Host[];
  readonly made: Made;
  /** Fires when nobody waits any longer. */
  readonly signal: AbortSignal;
}

/** How long a client hears nothing until its person asks at another machine, too. */
const ELSEWHERE_MS = 15_000;
const AGAIN_MS = 250;
/** No answer is waited for longer: the campaign's own patience ends before. */
const NO_TIMEOUT_MS = 3_600_000;

/**
 * Asks for an item under its key until there is a last word; a third of them as jobs that are asked for. Where one
 * machine says nothing, the next is asked the same beside it.
 */
export async function ask({ item, hosts, made, signal }: Asking): Promise<Asked> {
  const { tool, args } = workKindOf(item.kind);
  const isAsync = item.at % 3 === 2;
  const startedAt = performance.now();
  const told: Told[] = [];
  const retried = new Map<string, number>();
  let jobId: string | undefined;
  const isOver = new AbortController();
  const ending = joinSignals(signal, isOver.signal);
  const given = {
    ...args(item.mark, made),
    idempotencyKey: `key-${item.mark}`,
    ...(isAsync ? { dispatch: 'async' } : {}),
  };

  async function once(host: Host): Promise<Heard | undefined> {
    const client = await host.client();
    const call = (name: string, params: object) =>
      client.callTool({ name, arguments: { ...params } }, undefined, {
        timeout: NO_TIMEOUT_MS,
        maxTotalTimeout: NO_TIMEOUT_MS,
      });
    if (isAsync && jobId === undefined) {
      const started = read(host.name, await call(tool, given));
      if (!('answer' in started)) return started;
      if (typeof started.answer.jobId !== 'string') return started;
      jobId = started.answer.jobId;
    }
    if (!isAsync) return read(host.name, await call(tool, given));
    const polled = read(host.name, await call('get_job_result', { jobId, waitMs: 10_000 }));
    if (!('answer' in polled)) return polled;
    const { result, error } = polled.answer as { result?: Answer; error?: ToldError };
    if (error) return { host: host.name, error };
    return result === undefined ? undefined : { host: host.name, answer: result };
  }

  /** Until it has a last word, or somebody else has and nothing is under way here. */
  async function at(host: Host): Promise<void> {
    while (!ending.aborted) {
      try {
        const said = await once(host);
        if (said && 'retry' in said) count(said.retry);
        else if (said) {
          told.push(said);
          isOver.abort();
          return;
        }
      } catch (error) {
        count(error instanceof Error ? error.message.slice(0, 80) : String(error));
      }
      await sleep(AGAIN_MS);
    }
  }

  const count = (what: string) => retried.set(what, (retried.get(what) ?? 0) + 1);
  const read = (host: string, result: unknown) => readAnswer(host, result as CallResult);
  const working = hosts.map(async (host, index) => {
    await sleep(index * ELSEWHERE_MS, undefined, { signal: ending }).catch(() => {});
    await at(host);
  });
  const over = new Promise<void>((resolve) => {
    ending.addEventListener('abort', () => resolve(), { once: true });
    if (ending.aborted) resolve();
  });
  await Promise.race([Promise.all(working), over]);
  return { item, told, jobId, retried, tookMs: performance.now() - startedAt };
}

interface CallResult {
  readonly isError?: boolean;
  readonly structuredContent?: Answer;
  readonly content?: readonly { readonly text?: string }[];
  readonly _meta?: { readonly 'nexus/error'?: ToldError & { readonly retryable: boolean } };
}

function readAnswer(host: string, { isError, structuredContent, content, _meta }: CallResult): Heard {
  if (!isError) return { host, answer: structuredContent ?? {} };
  const {
    code = 'none',
    message = content?.[0]?.text ?? '',
    retryable = false,
  } = _meta?.['nexus/error'] ?? {};
  return retryable ? { host, retry: code } : { host, error: { code, message } };
}
