import { mergeConfig } from 'vitest/config';
import { slowTests } from '../../vitest.shared.ts';

/** What is tested on `databasesByTurns`: here on Postgres. */
const byTurns = ['execution', 'service', 'jobs', 'graph', 'views'].map((room) => `src/${room}/**/*.test.ts`);

/** Real stops of processes and databases, and on Postgres what every check tests on SQLite. */
export default mergeConfig(slowTests, {
  test: {
    include: byTurns,
    globalSetup: ['./test/postgres.ts'],
    provide: { databaseByTurns: 'Postgres' },
    maxWorkers: 2,
  },
});
