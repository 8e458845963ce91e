import type { Log, Retention } from '@nexus/plugin-sdk';
import { type RetentionSettings, sweepOnce } from '@nexus/store';
import type { Nexus } from '../boot/boot.ts';
import type { ListedPlugin } from '../plugins/plugin-listing.ts';
import { lookAgain } from '../schedules/look-again.ts';
import { ownRetention } from './own-retention.ts';

/** A server that starts has others to answer first. */
const FIRST_MS = 60_000;
const ASK_EVERY_MS = 600_000;

/** Every table's, as far as plugins are known. */
export function retentionOf(plugins: readonly Pick<ListedPlugin, 'retention'>[]): readonly Retention[] {
  return [...ownRetention, ...plugins.flatMap(({ retention }) => retention)];
}

/** Has what is old taken off the record now and then, by one of the project's servers. @returns what ends it */
export function startSweeps({
  nexus: { store },
  plugins,
  settings,
  log,
}: {
  readonly nexus: Pick<Nexus, 'store'>;
  readonly plugins: readonly ListedPlugin[];
  readonly settings: RetentionSettings;
  readonly log: Log;
}): () => void {
  const retention = retentionOf(plugins);
  return lookAgain(
    async () => {
      const gone = await sweepOnce({ store, retention, settings });
      if (gone && Object.keys(gone).length > 0) log.info('old rows were taken off the record', gone);
      return ASK_EVERY_MS;
    },
    { onFault: (error) => log.warn('old rows could not be taken', { err: error }), firstMs: FIRST_MS },
  );
}
