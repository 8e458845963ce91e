import { mergeConfig } from 'vitest/config';
import { slowTests } from '../../vitest.shared.ts';

/** All files at a time: most of them mostly wait. */
export default mergeConfig(slowTests, {
  test: { globalSetup: ['test/harness/build-fixtures.ts'], maxWorkers: 5 },
});
