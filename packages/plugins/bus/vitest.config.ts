import { mergeConfig } from 'vitest/config';
import { unitTests } from '../../../vitest.shared.ts';

export default mergeConfig(unitTests, { test: { globalSetup: ['./test/postgres.ts'] } });
