import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { shown } from './shown.ts';

/** What was typed before the question stood there has come by then. */
const TYPED_BEFORE_MS = 150;

/** Asks the person at the terminal. @returns true for a yes, false for a no, undefined for anything else */
export async function confirm(question: string): Promise<boolean | undefined> {
  // On stderr: what a command answers on stdout may go elsewhere.
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // Ctrl-C, or the end of input.
  const gone = once(lines, 'close').then(() => '');
  try {
    if (process.stdin.isTTY) {
      // It was meant for something else: its lines go by unheard, and what is left of the last one is taken back.
      await Promise.race([delay(TYPED_BEFORE_MS), gone]);
      lines.write(null, { ctrl: true, name: 'u' });
    }
    const answer = await Promise.race([lines.question(shown(`${question} [y/N] `, process.stderr)), gone]);
    const said = answer.trim().toLowerCase();
    if (said === 'y' || said === 'yes') return true;
    return said === 'n' || said === 'no' ? false : undefined;
  } finally {
    lines.close();
  }
}
