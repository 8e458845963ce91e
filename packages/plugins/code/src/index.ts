import { definePlugin } from '@nexus/plugin-sdk';
import { bundle } from './bundle.ts';
import { extractSymbols } from './extract-symbols.ts';
import { gitHistory } from './git-history.ts';
import { listFiles } from './list-files.ts';
import { CodeOptions } from './options.ts';
import { readFile } from './read-file.ts';
import { readResult } from './read-result.ts';
import { searchCodebase } from './search-codebase.ts';
import { searchUsages } from './search-usages.ts';
import { createState } from './state.ts';

export default definePlugin({
  name: 'code',
  options: CodeOptions,
  tools: [readFile, readResult, listFiles, extractSymbols, searchCodebase, searchUsages, gitHistory, bundle],
  async start(options, host) {
    return createState(options, host);
  },
  async stop({ indexes, unsearched }) {
    await Promise.all([indexes.close(), unsearched.close()]);
  },
});
