import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';

/** Asks the person at the terminal; anything but a yes is a no. */
export async function confirm(question: string): Promise<boolean> {
  // On stderr: what a command answers on stdout may go elsewhere.
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // Ctrl-C, or the end of input.
  const gone = once(lines, 'close').then(() => '');
  try {
    const answer = await Promise.race([lines.question(`${question} [y/N] `), gone]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
