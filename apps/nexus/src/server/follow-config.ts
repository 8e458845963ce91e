import type { Log } from '@nexus/plugin-sdk';
import type { Nexus } from '../boot/boot.ts';
import type { LoadedConfig } from '../loaded-config/load-config.ts';
import { type ConfigWatch, watchConfig } from '../loaded-config/watch-config.ts';
import type { Ending } from './end-by-signals.ts';

/** What a running server takes over; plugins, limits and ways in are made at its start. */
const AT_ONCE: ReadonlySet<string> = new Set(['toolboxes', 'toolMode']);

/** SIGHUP asks for the config to be read again, wherever its file can't be watched. */
export function reloadOnHangup(
  ending: Pick<Ending, 'onHangup'>,
  { watch, log }: { watch: ConfigWatch; log: Log },
): void {
  ending.onHangup(() => {
    watch.reload().catch((error: Error) => {
      log.error('the changed config is not taken over', { reason: error.message });
    });
  });
}

/** Takes over what changes in the config file while the server runs. */
export function followConfig(
  nexus: Nexus,
  loaded: LoadedConfig,
  { config, log }: { config: string | undefined; log: Log },
): ConfigWatch {
  return watchConfig({
    source: { config },
    loaded,
    log,
    async onChange(next, changed) {
      const later = changed.filter((section) => !AT_ONCE.has(section));
      if (later.length < changed.length) await nexus.reconfigure(next);
      if (later.length > 0) {
        log.warn('these sections of the config count from the next start on (`nexus stop`)', {
          sections: later,
        });
      }
    },
  });
}
