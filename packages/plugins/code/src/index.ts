import { definePlugin } from '@nexus/plugin-sdk';
import { CodeOptions } from './options.ts';
import { searchCodebase } from './search-codebase.ts';
import { createState } from './state.ts';

export default definePlugin({
  name: 'code',
  options: CodeOptions,
  tools: [searchCodebase],
  async start(options) {
    return createState(options);
  },
  async stop() {},
});
