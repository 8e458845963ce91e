import { fileURLToPath } from 'node:url';
import { mergeConfig } from 'vitest/config';
import { unitTests } from '../../vitest.shared.ts';

// What tests use as a data directory is put on record there, and not in the home of whoever runs them.
const stateHome = fileURLToPath(new URL('.reports/state', import.meta.url));

export default mergeConfig(unitTests, { test: { env: { XDG_STATE_HOME: stateHome } } });
