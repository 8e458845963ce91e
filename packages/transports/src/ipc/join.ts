import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@nexus/plugin-sdk';
import { type Claim, tryClaim } from './claim.ts';
import {
  HELLO_VERSION,
  type Purpose,
  type Question,
  type QuestionDetails,
  type SessionHello,
} from './hello.ts';
import { type Knock, knock, type OpenKnock } from './knock.ts';
import type { MeetingPoint } from './meeting-point.ts';
import { awakeFor, HUNG_AFTER_MS } from './patience.ts';
import { type Pointer, readPointer } from './pointer.ts';
import { trySucceed } from './succeed.ts';

/** Between two looks for the owner; spread, so that many processes don't look at once. */
const RETRY_MS = { least: 10, spread: 30 };
const WARN_AFTER_MS = 5_000;

export interface JoinOptions {
  readonly point: MeetingPoint;
  readonly session: SessionHello;
  readonly log: Log;
  /** Ends the wait for an owner that is slow, or about to be one. */
  readonly signal: AbortSignal;
  /** How long an owner may say nothing until it counts as one that hangs. */
  readonly patienceMs?: number | undefined;
}

/** A session with the owner, after its hello. */
export interface JoinedOwner {
  readonly socket: Socket;
  /** The longest line that the owner takes. */
  readonly maxMessageBytes: number | undefined;
}

export type Joined =
  | ({ readonly role: 'joined' } & JoinedOwner)
  | { readonly role: 'claimed'; readonly claim: Claim };

/**
 * Joins the owner, or becomes it where there is none: exactly one of the processes that ask at the same time
 * gets the claim, the others join it as soon as it listens.
 * @throws {SharingError} when the owner refuses this process
 */
export async function joinOrClaim(options: JoinOptions): Promise<Joined> {
  for (;;) {
    const { found, pointer } = await look(options, forSession(options));
    if (found?.kind === 'open') return { role: 'joined', ...toJoined(found) };
    const claim = await claimAfter(options, found, pointer);
    if (claim) return { role: 'claimed', claim };
    await pause(options.signal);
  }
}

/** Only an owner that is surely not there, or hangs, is replaced; the lock says whether it really is gone. */
async function claimAfter(
  { point, log }: JoinOptions,
  found: Knock | undefined,
  pointer: Pointer | undefined,
): Promise<Claim | undefined> {
  if (found?.kind === 'again') return undefined;
  return found?.kind === 'silent' && pointer ? trySucceed(point, pointer, log) : tryClaim(point, log);
}

/**
 * Joins the owner, waiting until there is one.
 * @throws {SharingError} when the owner refuses this process
 */
export async function join(options: JoinOptions): Promise<Socket> {
  for (;;) {
    const { found } = await look(options, forSession(options));
    if (found?.kind === 'open') return found.socket;
    await pause(options.signal);
  }
}

/** Joins the owner if there is one now. */
export async function joinRunning(options: JoinOptions): Promise<JoinedOwner | undefined> {
  const found = await lookForRunning(options, forSession(options));
  return found && toJoined(found);
}

/**
 * Asks the owner about itself.
 * @returns undefined where none runs
 */
export async function askOwner(
  question: Question,
  options: Omit<JoinOptions, 'session'>,
  details?: QuestionDetails,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const found = await lookForRunning(
    options,
    details ? { purpose: question, details } : { purpose: question },
  );
  found?.socket.destroy();
  return found && (found.reply.answer ?? {});
}

function forSession({ session }: JoinOptions): Purpose {
  return { purpose: 'session', session };
}

function toJoined({ socket, reply }: OpenKnock): JoinedOwner {
  return { socket, maxMessageBytes: reply.maxMessageBytes };
}

/** Looks until it is sure that an owner is there, or that none is that would answer. */
async function lookForRunning(options: Omit<JoinOptions, 'session'>, purpose: Purpose) {
  for (;;) {
    const { found } = await look(options, purpose);
    if (found?.kind === 'open') return found;
    if (found?.kind !== 'again') return undefined;
    await pause(options.signal);
  }
}

/** Looks where the pointer points. */
async function look(
  { point, log, signal, patienceMs = HUNG_AFTER_MS }: Omit<JoinOptions, 'session'>,
  purpose: Purpose,
): Promise<{ readonly found?: Knock; readonly pointer?: Pointer }> {
  const pointer = await readPointer(point.pointerPath);
  if (!pointer) return {};
  const slow = setTimeout(
    () => log.warn('the running server does not answer; waiting for it', { pid: pointer.pid }),
    WARN_AFTER_MS,
  );
  const hello = {
    nexus: HELLO_VERSION,
    identity: point.identity,
    token: pointer.token,
    pid: process.pid,
    ...purpose,
  } as const;
  const patience = awakeFor(patienceMs);
  try {
    return { found: await knock(pointer.socketPath, hello, { signal, patience: patience.signal }), pointer };
  } finally {
    clearTimeout(slow);
    patience.stop();
  }
}

async function pause(signal: AbortSignal): Promise<void> {
  const retryMs = RETRY_MS.least + Math.random() * RETRY_MS.spread;
  await sleep(retryMs, undefined, { signal }).catch(() => signal.throwIfAborted());
}
