import { testPlugin } from '@nexus/testing';
import { afterAll } from 'vitest';
import { makeRepository } from '../test/fixture-repository.ts';
import plugin from './index.ts';

const folder = makeRepository({ 'src/a.ts': 'export function greet() {}\n', 'src/b.ts': 'greet();\n' });
afterAll(() => folder[Symbol.dispose]());

testPlugin(plugin, {
  projectRoot: folder.path,
  goodCalls: {
    read_file: { path: 'src/a.ts', symbol: 'greet' },
    read_result: { uri: 'nexus://results/example' },
    list_files: { directory: 'src' },
    git_history: { action: 'log' },
    extract_symbols: { filePath: 'src/a.ts' },
    search_codebase: { query: 'greet', mode: 'symbol' },
    search_usages: { symbol: 'greet' },
    bundle: { ops: [{ tool: 'search_codebase', arguments: { query: 'greet' } }] },
  },
});
