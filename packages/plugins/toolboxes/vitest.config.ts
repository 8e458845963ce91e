import { mergeConfig } from 'vitest/config';
import { unitTests } from '../../../vitest.shared.ts';

// These tests sync to disk and start processes, which takes long on a busy machine.
export default mergeConfig(unitTests, { test: { testTimeout: 60_000, hookTimeout: 60_000 } });
