import { endAtOnce } from './end-at-once.ts';
import { type ProgramToStart, type Started, startDirectly } from './started.ts';
import { Starter, StarterUnfitError } from './starter.ts';

/** From there on to start a program takes longer than to ask for it… */
const LARGE_BYTES = 96 * 1024 * 1024;
/** …and a process that started so many starts more, which come in bursts, and each is waited for. */
const MANY = 4;
/** After one could not be had. */
const AGAIN_MS = 60_000;

let starter: Starter | undefined;
let isOpening = false;
let count = 0;
let notBefore = 0;

/**
 * Starts a program, the one way in which all of them are. Where this process has grown or starts many, a small one
 * beside it does, since a `fork` stops all threads for as long as the tables of the memory are copied and the
 * program's own has begun. macOS and Windows start programs without a copy.
 * @throws the system's error where it can't be started; the signal's reason
 */
export async function startProgram(program: ProgramToStart): Promise<Started> {
  const { signal } = program;
  signal?.throwIfAborted();
  const started = await startSomehow(program);
  // One that was given up while it was being started is wanted by nobody.
  if (signal?.aborted) endAtOnce(started.pid, program);
  signal?.throwIfAborted();
  return started;
}

async function startSomehow(program: ProgramToStart): Promise<Started> {
  const fit = fitStarter();
  if (fit === undefined) return startDirectly(program);
  return fit.start(program).catch((error: unknown) => {
    if (error instanceof StarterUnfitError) return startDirectly(program);
    throw error;
  });
}

/** The one that there is; where there is none, the next program may have one. */
function fitStarter(): Starter | undefined {
  if (starter?.isFit) return starter;
  starter = undefined;
  count += 1;
  const isWorthIt = count >= MANY || process.memoryUsage.rss() >= LARGE_BYTES;
  const isDue = !isOpening && performance.now() >= notBefore;
  if (process.platform === 'linux' && isWorthIt && isDue) void open();
  return undefined;
}

async function open(): Promise<void> {
  isOpening = true;
  try {
    starter = await Starter.open();
  } catch {
    notBefore = performance.now() + AGAIN_MS;
  } finally {
    isOpening = false;
  }
}
