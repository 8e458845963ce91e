import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import type { Failure, Reply, Request } from '../../packages/engine/test/simulator/child.ts';

const CHUNK = 20;

export interface SeedsRun {
  readonly file: string;
  readonly from: number;
  readonly count: number;
  readonly processes?: number | undefined;
  /** Whether to go on after the first. */
  readonly isUntilFirst: boolean;
  onProgress?(done: number): void;
}

export interface Found {
  readonly done: number;
  readonly statements: number;
  /** Of all traces: the same seeds go the same ways where it is the same. */
  readonly hash: string;
  /** In the order of their seeds. */
  readonly failures: readonly Failure[];
}

/** Seeds in their order, over as many processes as there are cores. */
export async function runSeeds(run: SeedsRun): Promise<Found> {
  const { file, from, count, isUntilFirst } = run;
  const failures: Failure[] = [];
  let next = from;
  let done = 0;
  let statements = 0;
  let hash = 0;
  const wanted = run.processes ?? availableParallelism();
  await Promise.all(
    Array.from({ length: Math.min(wanted, Math.ceil(count / CHUNK)) }, async () => {
      using child = start(file);
      while (next < from + count && !(isUntilFirst && failures.length > 0)) {
        const at = next;
        const size = Math.min(CHUNK, from + count - at);
        next += size;
        const reply = await child.ask({ what: 'seeds', from: at, count: size });
        if (reply.what !== 'seeds') throw new Error('the simulator answered something else');
        done += size;
        statements += reply.statements;
        hash ^= reply.hash;
        failures.push(...reply.failures);
        run.onProgress?.(done);
      }
    }),
  );
  return {
    done,
    statements,
    hash: (hash >>> 0).toString(16).padStart(8, '0'),
    failures: failures.sort((a, b) => a.seed - b.seed),
  };
}

/** One world, as a text. */
export async function showSeed(
  file: string,
  show: { readonly seed: number; readonly isTraced: boolean; readonly isShrunk: boolean },
): Promise<string> {
  using child = start(file);
  const reply = await child.ask({ what: 'show', ...show });
  return reply.what === 'show' ? reply.text : '';
}

function start(file: string): { ask(request: Request): Promise<Reply> } & Disposable {
  const child: ChildProcess = fork(file, {
    execArgv: ['--enable-source-maps', '--max-semi-space-size=32'],
    stdio: 'inherit',
  });
  return {
    ask(request) {
      return new Promise((resolve, reject) => {
        const onExit = () =>
          reject(new Error(`a process of the simulator ended during ${JSON.stringify(request)}`));
        child.once('exit', onExit);
        child.once('message', (reply) => {
          child.off('exit', onExit);
          resolve(reply as Reply);
        });
        child.send(request);
      });
    },
    [Symbol.dispose]() {
      child.removeAllListeners('exit');
      child.kill('SIGKILL');
    },
  };
}
