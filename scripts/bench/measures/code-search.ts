import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { rgPath } from '@vscode/ripgrep';
import type { Measure } from '../figure.ts';
import { inRehearsal } from '../rehearsal.ts';
import { interleave, median } from '../statistics.ts';
import { makeScratch } from '../subjects.ts';
import { FILE_COUNT, nameIn, writeTypeScriptTree } from '../typescript-tree.ts';

const ROUNDS = inRehearsal(1, 41);
const SYMBOL_CALLS = inRehearsal(1, 500);
const SYMBOL_WARM_UP = inRehearsal(1, 200);
const QUERY = 'retryBudget';

export const codeSearch: Measure = {
  name: 'code-search',
  method: `On ${FILE_COUNT} TypeScript files: search_codebase mode=symbol, each time for another name, ${SYMBOL_CALLS} after ${SYMBOL_WARM_UP} to warm up. Then mode=text beside \`rg --json\` with the same query, ${ROUNDS} in turn. Medians.`,
  async run() {
    using scratch = makeScratch({ limits: { callsPerSecond: 10_000, burst: 100_000 } });
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
      await untilWarm((args) => nexus.request('tools/call', { name: 'search_codebase', arguments: args }));
      await interleave({ symbol }, SYMBOL_WARM_UP);
      const symbols = await interleave({ symbol }, SYMBOL_CALLS);
      await interleave({ text, ripgrep }, 5);
      const samples = await interleave({ text, ripgrep }, ROUNDS);
      return [
        {
          what: 'Symbol lookup, warm',
          unit: 'ms',
          nexus: median(symbols.symbol),
          target: { of: 'value', atMost: 1 },
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

/** A name of every file has all of them read; until they are, the answer says that there may be more. */
async function untilWarm(search: (args: object) => Promise<{ structuredContent?: unknown }>): Promise<void> {
  for (;;) {
    const { structuredContent } = await search({ mode: 'symbol', query: 'OrderStore', limit: 1 });
    const { total, totalIsLowerBound } = structuredContent as { total: number; totalIsLowerBound?: boolean };
    if (!totalIsLowerBound && total >= FILE_COUNT) return;
  }
}
