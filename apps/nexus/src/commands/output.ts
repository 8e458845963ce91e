import { redactText } from '@nexus/untrusted/secrets';

/** Writes lines to stdout. @returns exit code 0 */
export function print(lines: readonly string[]): number {
  process.stdout.write(`${lines.join('\n')}\n`);
  return 0;
}

/** Says on stderr what is wrong. @returns exit code 1 */
export function fail(message: string): number {
  process.stderr.write(`nexus: ${redactText(message)}\n`);
  return 1;
}
