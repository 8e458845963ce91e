import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'vitest';
import { binaries, restartUnderRuns } from '../restarts.ts';

describe.skipIf(!binaries)('Postgres that is away for a minute under runs', () => {
  it('costs none of them anything', { timeout: 180_000 }, () =>
    restartUnderRuns(async (server) => {
      await server.shutDown();
      await sleep(60_000);
      await server.restart();
    }),
  );
});
