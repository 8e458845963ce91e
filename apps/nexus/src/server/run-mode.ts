import type { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { claimStdout } from '@nexus/transports/stdio';
import { type LogLevel, logLevel } from '../log-level.ts';
import { type Ending, endBySignals } from './end-by-signals.ts';
import { logsWritten } from './lazy-log.ts';

/** What the ways to run have in common. */
export interface RunOptions {
  readonly config: string | undefined;
  readonly level: LogLevel;
  readonly ending: Ending;
  readonly stdout: Writable;
}

const modes: Readonly<Record<string, (options: RunOptions) => Promise<void>>> = {
  server: async (options) => (await import('./share.ts')).shareOrOwn(options),
  client: async (options) => (await import('./share.ts')).shareOnly(options),
};

/**
 * A model's command line is asked with all of its servers off. Where one of them starts all the same, it would be
 * asked by itself, without an end.
 * @throws {Error}
 */
export function assertNotOfOurs(env: NodeJS.ProcessEnv): void {
  const depth = env.NEXUS_DEPTH;
  if (depth === undefined || depth === '0') return;
  throw new Error(
    `a command line that Nexus asks as a model has started this server (NEXUS_DEPTH=${depth}); it would ask itself without an end, so it does not start. Take nexus from that command line's own settings, or start it without NEXUS_DEPTH.`,
  );
}

/**
 * `nexus --mode=server`: what hosts start.
 * @throws {Error} for a flag that does not exist
 */
export async function runMode(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      mode: { type: 'string' },
      config: { type: 'string' },
      verbose: { type: 'boolean', default: false },
      standalone: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    const [{ serverHelp }, { helpColumns }] = await Promise.all([
      import('./help.ts'),
      import('../terminal/window-size.ts'),
    ]);
    process.stdout.write(serverHelp(helpColumns()));
    return;
  }
  const run = modes[values.mode ?? ''];
  if (!run) {
    throw new Error(`--mode=${values.mode} does not exist; allowed: ${Object.keys(modes).join(', ')}`);
  }
  assertNotOfOurs(process.env);
  const options: RunOptions = {
    config: values.config,
    level: logLevel(values.verbose),
    ending: endBySignals(),
    stdout: claimStdout().stream,
  };
  try {
    if (values.standalone) {
      (await import('./small-heap.ts')).keepHeapSmall();
      await (await import('./serve-stdio.ts')).serveStdio(options);
    } else {
      await run(options);
    }
  } catch (error) {
    // Asked to end while it still waited for the running server: nothing went wrong.
    if (error !== options.ending.signal.reason) throw error;
  }
  await logsWritten();
  process.exit();
}
