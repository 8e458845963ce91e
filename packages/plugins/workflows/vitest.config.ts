import { mergeConfig } from 'vitest/config';
import { unitTests } from '../../../vitest.shared.ts';

// A pipeline starts some seventy processes of git: half a minute on a machine that does six other things.
export default mergeConfig(unitTests, { test: { testTimeout: 180_000 } });
