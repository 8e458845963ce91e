import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { rgPath } from '@vscode/ripgrep';
import type { Measure } from '../figure.ts';
import { interleave, median } from '../statistics.ts';
import { makeScratch } from '../subjects.ts';
import { FILE_COUNT, nameIn, writeTypeScriptTree } from '../typescript-tree.ts';

const ROUNDS = 41;
const QUERY = 'retryBudget';

export const codeSearch: Measure = {
  name: 'code-search',
  method: `On ${FILE_COUNT} TypeScript files: search_codebase mode=symbol, warm, each time for another name; mode=text beside \`rg --json\` with the same query, in turn. Median of ${ROUNDS}.`,
  async run() {
    using scratch = makeScratch();
    writeTypeScriptTree(scratch.projectDir);
    const nexus = await scratch.startNexus();
    let round = 0;
    const search = (args: object) => async () => {
      const startedAt = performance.now();
      const result = await nexus.request('tools/call', { name: 'search_codebase', arguments: args });
      if (result.isError) throw new Error(JSON.stringify(result.content));
      return performance.now() - startedAt;
    };
    const symbol = () => search({ mode: 'symbol', query: nameIn(round++ % FILE_COUNT) })();
    const text = search({ mode: 'text', query: QUERY, limit: 100 });
    const ripgrep = async () => {
      const startedAt = performance.now();
      const args = ['--json', '--fixed-strings', '--', QUERY, '.'];
      await promisify(execFile)(rgPath, args, { cwd: scratch.projectDir, maxBuffer: 2 ** 28 });
      return performance.now() - startedAt;
    };
    try {
      await interleave({ symbol, text, ripgrep }, 5);
      const samples = await interleave({ symbol, text, ripgrep }, ROUNDS);
      return [
        {
          what: 'Symbol lookup, warm',
          unit: 'ms',
          nexus: median(samples.symbol),
          target: { of: 'value', atMost: 5 },
        },
        {
          what: 'Text search',
          unit: 'ms',
          nexus: median(samples.text),
          against: { name: 'ripgrep', value: median(samples.ripgrep) },
          target: { of: 'ratio', atMost: 1.5 },
        },
      ];
    } finally {
      await nexus.stop();
    }
  },
};
