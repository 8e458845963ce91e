import { mergeConfig } from 'vitest/config';
import { slowTests, testsWith } from '../../vitest.shared.ts';

/** Real stops of processes and databases, and on Postgres what every check tests on SQLite. */
export default mergeConfig(slowTests, {
  test: {
    include: testsWith(/describe\.each\(databasesByTurns\)/, import.meta.dirname),
    globalSetup: ['./test/postgres.ts'],
    provide: { databaseByTurns: 'Postgres' },
    maxWorkers: 2,
  },
});
