import { mergeConfig } from 'vitest/config';
import { slowTests } from '../../vitest.shared.ts';

/** Real stops of processes and databases. */
export default mergeConfig(slowTests, { test: { globalSetup: ['./test/postgres.ts'], maxWorkers: 2 } });
