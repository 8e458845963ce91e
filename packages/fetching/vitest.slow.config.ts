import { mergeConfig } from 'vitest/config';
import { slowTests } from '../../vitest.shared.ts';

export default mergeConfig(slowTests, {});
