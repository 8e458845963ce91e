import type { Log } from '@nexus/plugin-sdk';
import { stdioChannel } from '@nexus/transports/stdio';
import { boot } from '../boot/boot.ts';
import { loadConfig } from '../config/load-config.ts';
import { endBySignals } from './end-by-signals.ts';
import { greet } from './greet.ts';

/** A process that was told to end is gone within 5 s, whatever still runs. */
const EXIT_AFTER_SIGNAL_MS = 4_500;
/** Calls in flight at the end of input had their time before the session closed. */
const EXIT_AFTER_CLOSE_MS = 1_500;

/** Serves one host over this process's stdio until the host goes, or a signal ends it. */
export async function serveStdio({ config, log }: { config: string | undefined; log: Log }): Promise<void> {
  const ending = endBySignals(EXIT_AFTER_SIGNAL_MS);
  const loaded = await loadConfig({ config });
  for (const note of loaded.notes) log.info(note);
  // Claims stdout, so before any plugin runs.
  const channel = stdioChannel({ log, maxMessageBytes: loaded.config.limits.maxMessageBytes });
  const nexus = await boot(loaded, log);
  greet(nexus.registry.list().length, loaded);
  const session = nexus.serve(channel);
  await Promise.race([session.closed, ending.requested]);
  ending.begin(EXIT_AFTER_CLOSE_MS);
  await nexus.stop();
  process.exit();
}
