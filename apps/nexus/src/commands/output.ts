import { redactJson, redactText } from '@nexus/untrusted/secrets';

// All that commands print comes through here: much of it is what servers and other processes said.

/** Writes lines to stdout, without secrets. @returns exit code 0 */
export function print(lines: readonly string[]): number {
  process.stdout.write(`${redactText(lines.join('\n'))}\n`);
  return 0;
}

/** Writes a value to stdout as JSON, without secrets; it stays JSON. @returns exit code 0 */
export function printJson(value: unknown): number {
  process.stdout.write(`${JSON.stringify(redactJson(value), null, 2)}\n`);
  return 0;
}

/** Says on stderr what is wrong. @returns exit code 1 */
export function fail(message: string): number {
  warn(message);
  return 1;
}

/** Says on stderr what a person should know. */
export function warn(message: string): void {
  process.stderr.write(`nexus: ${redactText(message)}\n`);
}
