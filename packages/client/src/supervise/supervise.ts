import type { Log, ToolboxServer } from '@nexus/plugin-sdk';
import { ExponentialBackoff, halfJitterGenerator, type IBackoff } from 'cockatiel';
import { AuthorizationError } from '../auth/authorization-error.ts';
import type { Connection } from '../connection.ts';
import { ConnectionError } from '../connection-error.ts';
import { createCircuit } from './circuit.ts';

/** A server that lived shorter died at its start, or of what it was asked first. */
const STABLE_MS = 10_000;
/** So many such deaths, or failed starts, one after the other, and it is given up. */
const MAX_FAST_DEATHS = 10;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

export type ServerState = ToolboxServer['state'];

export interface SuperviseOptions {
  readonly serverName: string;
  /** Opens a session; ends with the signal. */
  dial(signal: AbortSignal): Promise<Connection>;
  readonly log: Log;
  readonly onState?: ((state: ServerState) => void) | undefined;
}

/** One server over its life: connected when it is needed, and again when it was lost. */
export interface Supervisor {
  readonly state: ServerState;
  /** Why it is restarting, or failed. */
  readonly lastError: string | undefined;
  /** How often it was connected again. */
  readonly restarts: number;
  /** Why and until when it is left alone, where it has answered no call lately; else undefined. */
  readonly leftAlone: string | undefined;
  /** Undefined while there is none. */
  readonly connection: Connection | undefined;
  /**
   * For a call: connects where nothing stands against it, one attempt for all who ask.
   * @throws {ConnectionError} at once while a restart waits, and after the server was given up
   */
  connect(): Promise<Connection>;
  /**
   * For a call that is made again, since the server was lost in the middle of it: starts it at once, also where a
   * restart waits. As each call asks so once, the server is started no more often than it is called.
   * @throws {ConnectionError} where the server was given up
   */
  connectAgain(): Promise<Connection>;
  /**
   * For one who asks for the server itself: tries at once, whatever was before.
   * @throws {ConnectionError}
   */
  open(): Promise<Connection>;
  /** Runs one call, unless the server has answered none lately. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Ends the connection, or the attempt; there is no way back. */
  close(): Promise<void>;
}

/**
 * The first death is answered by a restart at once, which callers wait for. After that restarts wait, longer
 * each time, and calls fail at once with what is known of the last ending.
 */
export function supervise(options: SuperviseOptions): Supervisor {
  const { serverName, log } = options;
  const circuit = createCircuit(serverName);
  const end = new AbortController();
  let state: ServerState = 'idle';
  let connection: Connection | undefined;
  let attempt: Promise<Connection> | undefined;
  let waiting: NodeJS.Timeout | undefined;
  let lastError: Error | undefined;
  let fastDeaths = 0;
  let starts = 0;
  let backoff = firstBackoff();

  function enter(next: ServerState): void {
    if (state === next) return;
    state = next;
    options.onState?.(next);
  }

  function start(): Promise<Connection> {
    clearTimeout(waiting);
    waiting = undefined;
    enter(starts === 0 ? 'connecting' : 'restarting');
    if (attempt) return attempt;
    const started = dial(() => over());
    const over = () => {
      if (attempt === started) attempt = undefined;
    };
    attempt = started;
    started.then(over, over);
    return started;
  }

  /** @param over the attempt has come to a connection: what is lost from here on is dialled again */
  async function dial(over: () => void): Promise<Connection> {
    try {
      const opened = await options.dial(end.signal);
      over();
      connection = opened;
      starts += 1;
      const since = performance.now();
      enter('ready');
      void opened.closed.then((ending) => {
        if (connection !== opened) return;
        connection = undefined;
        if (end.signal.aborted) return;
        if (performance.now() - since >= STABLE_MS) recover();
        lost(new ConnectionError(serverName, ending, { isUnsent: true }));
      });
      return opened;
    } catch (error) {
      if (!end.signal.aborted) startFailed(error);
      throw error;
    }
  }

  function startFailed(error: unknown): void {
    const known = error instanceof Error ? error : new Error(String(error));
    // A server that never stood is its opener's business, and one that wants a person nobody's but theirs.
    if (starts === 0 || wantsPerson(known)) giveUp(known);
    else lost(known);
  }

  function lost(error: Error): void {
    lastError = error;
    fastDeaths += 1;
    if (fastDeaths > MAX_FAST_DEATHS) {
      giveUp(error);
      return;
    }
    log.warn('a server was lost', { server: serverName, error: error.message, inARow: fastDeaths });
    enter('restarting');
    if (fastDeaths === 1) {
      start().catch(() => {});
      return;
    }
    waiting = setTimeout(() => start().catch(() => {}), backoff.duration);
    backoff = backoff.next(undefined);
  }

  function giveUp(error: Error): void {
    lastError = error;
    enter('failed');
  }

  function recover(): void {
    fastDeaths = 0;
    backoff = firstBackoff();
    lastError = undefined;
  }

  function refusal(what: string): ConnectionError {
    const { reason, ...ending } =
      lastError instanceof ConnectionError ? lastError.ending : { reason: `failed: ${lastError?.message}` };
    return new ConnectionError(serverName, { ...ending, reason: `${reason}; ${what}` }, { isUnsent: true });
  }

  function assertUsable(): void {
    if (end.signal.aborted) throw closedError(serverName);
    if (state === 'failed' && !attempt) throw refusal('opening its toolbox again tries it again');
  }

  return {
    get state() {
      return state;
    },
    get lastError() {
      return state === 'ready' || state === 'idle' ? undefined : lastError?.message;
    },
    get restarts() {
      return Math.max(0, starts - 1);
    },
    get connection() {
      return connection;
    },
    async connect() {
      if (connection) return connection;
      assertUsable();
      if (waiting || (attempt && fastDeaths > 1)) throw refusal('it is being restarted');
      return start();
    },
    async connectAgain() {
      if (connection) return connection;
      assertUsable();
      return start();
    },
    async open() {
      if (connection) return connection;
      if (end.signal.aborted) throw closedError(serverName);
      if (!attempt) recover();
      return start();
    },
    get leftAlone() {
      return circuit.leftAlone;
    },
    run: circuit.run,
    async close() {
      end.abort(closedError(serverName));
      clearTimeout(waiting);
      waiting = undefined;
      const open = connection;
      connection = undefined;
      await open?.close();
      // One that came about in spite of the signal must not stay.
      await attempt?.then((late) => late.close()).catch(() => {});
      connection = undefined;
      enter('idle');
    },
  };
}

/** Between half of the exponential delay and all of it, at random, so that many don't come back at once. */
function firstBackoff(): IBackoff<unknown> {
  return new ExponentialBackoff({
    generator: halfJitterGenerator,
    initialDelay: FIRST_DELAY_MS,
    maxDelay: MAX_DELAY_MS,
  }).next();
}

function closedError(serverName: string): ConnectionError {
  return new ConnectionError(serverName, { reason: 'was closed' }, { isUnsent: true });
}

function wantsPerson(error: Error): boolean {
  return error.cause instanceof AuthorizationError;
}
