import { definePlugin } from '@nexus/plugin-sdk';
import { bundle } from './bundle.ts';
import { extractSymbols } from './extract-symbols.ts';
import { CodeOptions } from './options.ts';
import { searchCodebase } from './search-codebase.ts';
import { searchUsages } from './search-usages.ts';
import { createState } from './state.ts';

export default definePlugin({
  name: 'code',
  options: CodeOptions,
  tools: [extractSymbols, searchCodebase, searchUsages, bundle],
  async start(options, host) {
    return createState(options, host);
  },
  stop: ({ indexes }) => indexes.close(),
});
