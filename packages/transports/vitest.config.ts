import { mergeConfig } from 'vitest/config';
import { unitTests } from '../../vitest.shared.ts';

/** Real processes and long property runs: a busy machine must not fail them. */
export default mergeConfig(unitTests, { test: { testTimeout: 30_000 } });
