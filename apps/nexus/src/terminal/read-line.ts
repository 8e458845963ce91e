import { createInterface } from 'node:readline/promises';
import { shown } from './shown.ts';

/**
 * One line of the person at the terminal; undefined where there will be none: at the end of input, after Ctrl-C,
 * and once the signal fires.
 */
export async function readLine(prompt: string, signal: AbortSignal): Promise<string | undefined> {
  // On stderr: what a command answers on stdout may go elsewhere.
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const over = new Promise<undefined>((resolve) => {
    lines.once('SIGINT', () => resolve(undefined));
    lines.once('close', () => resolve(undefined));
  });
  try {
    return await Promise.race([
      lines.question(shown(prompt, process.stderr), { signal }).catch(() => undefined),
      over,
    ]);
  } finally {
    lines.close();
  }
}
