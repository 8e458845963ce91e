import { describe, it } from 'vitest';
import { binaries, restartUnderRuns } from '../../test/restarts.ts';

/** One way in which it goes; the slow tests have the others. */
describe.skipIf(!binaries)('Postgres that is restarted under runs', () => {
  it('at once costs none of them anything', () =>
    restartUnderRuns(async (server) => {
      await server.crash();
      await server.restart();
    }));
});
