import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '@nexus/plugin-sdk';

/** A process that starts has its first client to answer first. */
const AFTER_MS = 500;

/** As much of a plugin as it takes to have it tidy up. */
interface Leaving {
  readonly name: string;
  readonly leaves?: string | undefined;
  start(): Promise<unknown>;
}

/** Starts the plugins whose work was cut off and has left something behind. */
export async function tidyUp(plugins: readonly Leaving[], dataDir: string, log: Log): Promise<void> {
  for (const { name, leaves, start } of plugins) {
    if (leaves === undefined) continue;
    const left = await readdir(join(dataDir, leaves)).catch(() => []);
    if (left.length === 0) continue;
    await start().catch((error: unknown) =>
      log.warn('what was left of work that was cut off could not be looked at', { plugin: name, err: error }),
    );
  }
}

/** A little later, unless the process is at its end by then. */
export function tidyUpSoon(signal: AbortSignal, tidy: () => Promise<void>): void {
  setTimeout(() => {
    if (!signal.aborted) void tidy();
  }, AFTER_MS).unref();
}
