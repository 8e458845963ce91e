import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { programEnvironment } from '@nexus/plugin-sdk';
import { isAlive } from '../is-alive.ts';
import { endAtOnce } from './end-at-once.ts';
import type { ExitOfProgram, ProgramToStart, Started } from './started.ts';
import { START_MS, STARTER } from './starter-program.ts';

/** It does not take the program; nothing was started. */
export class StarterUnfitError extends Error {}

type Told =
  | { readonly id: number; readonly pid: number }
  | { readonly id: number; readonly failure: NodeJS.ErrnoException }
  | ({ readonly id: number } & ExitOfProgram);

/** A program that was asked for, until it is told whether it was started. */
interface Starting {
  started(pid: number): void;
  failed(error: Error): void;
}

interface Running {
  readonly pid: number;
  readonly outputs: readonly Socket[];
  exited(exit: ExitOfProgram): void;
}

/** How long the process may take until it listens; more than a busy machine needs. */
const OPEN_MS = 30_000;
/** Beside what the starter itself allows: the time for the answer to come back. */
const ANSWER_MS = 2_000;
/** How often is looked whether a program is gone, once nobody can tell of it. */
const LOOK_EVERY_MS = 100;
const NOBODY_CAN_TELL: ExitOfProgram = { exitCode: null, signalName: null };

/** A small process that starts programs for this one; see {@link STARTER}. It ends with this one, and never holds it open. */
export class Starter {
  readonly pid: number;
  readonly #process: ChildProcess;
  readonly #path: string;
  readonly #starting = new Map<number, Starting>();
  readonly #running = new Map<number, Running>();
  #count = 0;
  #isFit = true;

  private constructor(starter: ChildProcess, path: string) {
    this.#process = starter;
    this.#path = path;
    this.pid = starter.pid as number;
    starter.on('message', (told: Told) => this.#hear(told));
    // Comes after all that it told.
    starter.once('disconnect', () => this.#over());
  }

  /** @throws it can't be started here */
  static async open(): Promise<Starter> {
    // A session of its own: what ends this process's group or terminal must not end it.
    const starter = spawn(process.execPath, ['-e', STARTER], {
      cwd: '/',
      detached: true,
      env: programEnvironment([]),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    starter.on('error', () => {});
    starter.unref();
    starter.channel?.unref();
    const given = new AbortController();
    const late = setTimeout(() => given.abort(), OPEN_MS).unref();
    starter.once('exit', () => given.abort());
    try {
      const [{ path }] = (await once(starter, 'message', { signal: given.signal })) as [{ path: string }];
      return new Starter(starter, path);
    } catch (error) {
      if (starter.connected) starter.disconnect();
      throw error;
    } finally {
      clearTimeout(late);
    }
  }

  /** False as soon as it takes no more programs. What it started goes on. */
  get isFit(): boolean {
    return this.#isFit;
  }

  /**
   * @throws {StarterUnfitError} where nothing was started; the system's error of a program that can't be started;
   * the signal's reason
   */
  async start({ signal, ...program }: ProgramToStart): Promise<Started> {
    const streams = await this.#connect();
    const [stdin, stdout, stderr] = streams.map(({ socket }) => socket) as [Socket, Socket, Socket];
    try {
      signal?.throwIfAborted();
      const tokens = streams.map(({ token }) => token);
      const started = await this.#ask({ tokens, program }, { outputs: [stdout, stderr], signal });
      // As a pipe it would be closed by then; what the program reads is there whole.
      stdin.once('finish', () => stdin.destroy()).resume();
      return { ...started, stdin, stdout, stderr };
    } catch (error) {
      for (const { socket } of streams) socket.destroy();
      throw error;
    }
  }

  async #connect(): Promise<readonly { readonly token: string; readonly socket: Socket }[]> {
    const streams = [0, 1, 2].map(() => ({ token: randomUUID(), socket: connect(this.#path) }));
    for (const { socket } of streams) socket.on('error', () => {});
    try {
      await Promise.all(streams.map(({ socket }) => once(socket, 'connect')));
    } catch (cause) {
      for (const { socket } of streams) socket.destroy();
      throw new StarterUnfitError('it could not be reached', { cause });
    }
    for (const { token, socket } of streams) socket.write(token);
    return streams;
  }

  async #ask(
    request: { readonly tokens: readonly string[]; readonly program: Omit<ProgramToStart, 'signal'> },
    { outputs, signal }: { readonly outputs: readonly Socket[]; readonly signal: AbortSignal | undefined },
  ): Promise<Pick<Started, 'pid' | 'exited'>> {
    if (!this.#isFit) throw new StarterUnfitError('it has ended');
    const id = ++this.#count;
    let giveUp: (error: unknown) => void = () => {};
    const answer = new Promise<Pick<Started, 'pid' | 'exited'>>((resolve, reject) => {
      giveUp = reject;
      this.#starting.set(id, {
        failed: reject,
        started: (pid) => {
          const exited = new Promise<ExitOfProgram>((exit) => {
            this.#running.set(id, { pid, outputs, exited: exit });
          });
          resolve({ pid, exited });
        },
      });
      this.#hold();
    });
    const abort = () => {
      this.#process.send({ id, forget: true }, () => {});
      // It may have been started just then.
      const started = (pid: number) => endAtOnce(pid, request.program);
      this.#starting.set(id, { started, failed: () => {} });
      giveUp(signal?.reason);
    };
    signal?.addEventListener('abort', abort, { once: true });
    // It hangs. What it started goes on without it.
    const late = setTimeout(() => this.#process.kill('SIGKILL'), START_MS + ANSWER_MS);
    try {
      this.#process.send({ id, ...request, until: Date.now() + START_MS }, () => {});
      return await answer;
    } finally {
      clearTimeout(late);
      signal?.removeEventListener('abort', abort);
    }
  }

  /** While somebody waits for what it will tell, this process goes on with them. */
  #hold(): void {
    if (this.#starting.size + this.#running.size > 0) this.#process.channel?.ref();
    else this.#process.channel?.unref();
  }

  #hear(told: Told): void {
    const starting = this.#starting.get(told.id);
    this.#starting.delete(told.id);
    if ('pid' in told) starting?.started(told.pid);
    else if ('failure' in told)
      starting?.failed(Object.assign(new Error(told.failure.message), told.failure));
    else {
      const { exitCode, signalName } = told;
      this.#running.get(told.id)?.exited({ exitCode, signalName });
      this.#running.delete(told.id);
    }
    this.#hold();
  }

  /** Whether a program that was asked for was started is not known: to start it again could do its work twice. */
  #over(): void {
    this.#isFit = false;
    const lost = new Error('the process that starts programs was ended meanwhile; try again');
    for (const { failed } of this.#starting.values()) failed(lost);
    this.#starting.clear();
    for (const running of this.#running.values()) void lookAfter(running);
    // By force it could not.
    rmSync(dirname(this.#path), { recursive: true, force: true });
    this.#running.clear();
  }
}

/** Its starter ended first. Where nobody waits for its process that stays on record, so its outputs count too. */
async function lookAfter({ pid, outputs, exited }: Running): Promise<void> {
  while (isAlive(pid) && outputs.some(({ destroyed }) => !destroyed)) await delay(LOOK_EVERY_MS);
  exited(NOBODY_CAN_TELL);
}
