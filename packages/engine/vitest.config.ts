import { mergeConfig } from 'vitest/config';
import { unitTests } from '../../vitest.shared.ts';

export default mergeConfig(unitTests, {
  test: {
    include: ['src/**/*.test.ts', 'test/simulator/**/*.test.ts'],
    globalSetup: ['./test/postgres.ts'],
    provide: { databaseByTurns: 'SQLite' },
  },
});
