import { mergeConfig } from 'vitest/config';
import { slowTests } from '../../vitest.shared.ts';

/** All files at a time: two of them mostly wait, each for a minute. */
export default mergeConfig(slowTests, {
  test: { globalSetup: ['test/harness/build-fixtures.ts'], maxWorkers: 4 },
});
