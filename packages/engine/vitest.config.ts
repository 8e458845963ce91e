import { mergeConfig } from 'vitest/config';
import { unitTests } from '../../vitest.shared.ts';

// Every test works on a real database, which a busy machine's disk can make slow.
export default mergeConfig(unitTests, {
  test: {
    include: ['src/**/*.test.ts', 'test/simulator/**/*.test.ts'],
    globalSetup: ['./test/postgres.ts'],
    provide: { databaseByTurns: 'SQLite' },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
