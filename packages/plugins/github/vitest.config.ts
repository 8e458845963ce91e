import { mergeConfig } from 'vitest/config';
import { unitTests } from '../../../vitest.shared.ts';

// The throttling of octokit keeps its clock with its module: a test that sets time forward would have others wait.
export default mergeConfig(unitTests, { test: { isolate: true } });
