import { testPlugin } from '@nexus/testing';
import { afterAll } from 'vitest';
import { makeFolder } from '../test/start-project.ts';
import plugin from './index.ts';

const folder = makeFolder({ 'src/a.ts': 'export function greet() {}\n', 'src/b.ts': 'greet();\n' });
afterAll(() => folder[Symbol.dispose]());

testPlugin(plugin, {
  projectRoot: folder.path,
  goodCalls: {
    extract_symbols: { filePath: 'src/a.ts' },
    search_codebase: { query: 'greet', mode: 'symbol' },
    search_usages: { symbol: 'greet' },
    bundle: { ops: [{ tool: 'search_codebase', arguments: { query: 'greet' } }] },
  },
});
