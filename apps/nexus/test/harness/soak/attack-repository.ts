import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { McpClient } from './mcp-client.ts';

/** Contents that hold or break whoever parses them, each time others, so that none is known yet. */
const CONTENTS: readonly ((turn: number) => [name: string, content: string | Uint8Array])[] = [
  (turn) => [`trap-${turn % 5}.js`, `${'{a:'.repeat(5_000)}${turn}`],
  (turn) => [`slow-${turn % 3}.js`, `${'['.repeat(50_000)}${turn}`],
  (turn) => [`large-${turn % 2}.js`, `${'['.repeat(400_000)}${turn}`],
  (turn) => [`many-${turn % 2}.ts`, `let found${turn};${'var a;'.repeat(150_000)}`],
  (turn) => [`line-${turn % 2}.ts`, `const found = "${'x'.repeat(900_000)}${turn}";`],
  (turn) => [`binary-${turn % 2}.ts`, Uint8Array.from([102, 111, 117, 110, 100, 0, turn % 256])],
  (turn) => ['.gitignore', `${'*a'.repeat(40)}b${turn}/\n`],
];

const CALLS: readonly (readonly [tool: string, args: object])[] = [
  ['search_codebase', { query: 'found', mode: 'symbol', limit: 200 }],
  ['search_usages', { symbol: 'found' }],
  ['extract_symbols', { glob: '**/*.{js,ts}', mode: 'full', limit: 2_000 }],
  ['search_codebase', { query: 'a', mode: 'text', limit: 200, context: 20 }],
  ['search_codebase', { query: '(a*)*(x+x+)+y', mode: 'regex' }],
  ['search_codebase', { query: 'a', mode: 'path', limit: 200 }],
];

/** A session in a repository that somebody else writes to. */
export async function attackRepository(
  client: McpClient,
  root: string,
  goesOn: () => boolean,
): Promise<void> {
  const folder = join(root, 'hostile');
  mkdirSync(folder, { recursive: true });
  if (process.platform !== 'win32' && !existsSync(join(folder, 'pipe.ts'))) {
    execFileSync('mkfifo', [join(folder, 'pipe.ts')]);
  }
  let turn = 0;
  for (; goesOn(); turn += 1) {
    for (const content of CONTENTS) {
      const [name, text] = content(turn);
      writeFileSync(join(folder, name), text);
    }
    const churned = join(folder, `churn-${turn % 3}`);
    mkdirSync(churned, { recursive: true });
    for (let at = 0; at < 500; at += 1)
      writeFileSync(join(churned, `${at}.ts`), `const found${at} = ${turn};`);
    const [tool, args] = CALLS[turn % CALLS.length] ?? ['', {}];
    // Most callers give up.
    const signal = AbortSignal.timeout(turn % 4 === 3 ? 70_000 : 1_000);
    await client.call(tool, args, signal).catch(() => {});
    rmSync(churned, { recursive: true });
  }
}
