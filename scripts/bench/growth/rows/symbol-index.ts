import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { untilIdle } from '../../cpu.ts';
import { makeScratch, type Scratch } from '../../subjects.ts';
import { call } from '../call.ts';
import type { GrowthRow } from '../row.ts';

const sizes = [10_000, 30_000, 100_000] as const;
const smallSizes = [300, 1_000, 3_000] as const;

export const firstSymbol: GrowthRow = {
  name: 'first-symbol',
  what: 'Source files: until the first symbol is found',
  method:
    'A project of so many TypeScript files of ten symbols, never read before; the time from the call of search_codebase to its answer.',
  unit: 'ms',
  sizes,
  smallSizes,
  atMost: 20_000,
  measure: (size) => withFiles(size, async (_host, look) => look()),
};

export const symbolMemory: GrowthRow = {
  name: 'symbol-memory',
  what: 'Source files: memory, read ahead',
  method:
    'The same; how much more memory the server has than before, once it has read ahead what it keeps, and is idle.',
  unit: 'kB',
  sizes,
  smallSizes,
  atMost: 250_000,
  measure: (size) =>
    withFiles(size, async (host, look) => {
      const before = host.rssMb();
      await look();
      await untilIdle(host.pid);
      return (host.rssMb() - before) * 1_000;
    }),
};

type Host = Awaited<ReturnType<Scratch['startShared']>>;

async function withFiles(
  size: number,
  measure: (host: Host, look: () => Promise<number>) => Promise<number>,
): Promise<number> {
  using scratch = makeScratch({
    code: { maxIndexedFiles: 100_000 },
    tools: { search_codebase: { timeoutMs: 300_000 } },
  });
  for (let at = 0; at < size; at += 1) {
    const folder = join(scratch.projectDir, 'src', `part-${Math.floor(at / 100)}`);
    if (at % 100 === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `file-${at}.ts`), source(at));
  }
  execFileSync('git', ['init', '-q'], { cwd: scratch.projectDir });
  const host = await scratch.startShared();
  try {
    return await measure(host, async () => {
      const from = performance.now();
      const { structuredContent } = await call(host, 'search_codebase', {
        query: `thing${size - 1}One`,
        mode: 'symbol',
      });
      const took = performance.now() - from;
      if (!JSON.stringify(structuredContent).includes(`file-${size - 1}.ts`)) {
        throw new Error(`the symbol was not found: ${JSON.stringify(structuredContent).slice(0, 500)}`);
      }
      return took;
    });
  } finally {
    await host.stop();
  }
}

function source(at: number): string {
  const names = ['One', 'Two', 'Three', 'Four'];
  return `${names
    .map(
      (name) =>
        `export function thing${at}${name}(first: number, second: string): string {\n  return second.repeat(first + ${at});\n}\n`,
    )
    .join('\n')}
export interface Shape${at} {
  readonly width: number;
  readonly height: number;
}

export class Holder${at} {
  readonly kept = ${at};
  take(shape: Shape${at}): number {
    return shape.width * this.kept;
  }
}
`;
}
