import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';

/**
 * Asks the person at the terminal for a line.
 * @returns an empty text where none is given
 */
export async function askValue(question: string, signal: AbortSignal): Promise<string> {
  // On stderr: what a command answers on stdout may go elsewhere.
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // The end of input. Ctrl-C comes to the line reader here, and not to the process.
  lines.once('SIGINT', () => process.emit('SIGINT'));
  const gone = once(lines, 'close').then(() => '');
  try {
    return await Promise.race([lines.question(`${question}: `, { signal }), gone]);
  } finally {
    lines.close();
  }
}
