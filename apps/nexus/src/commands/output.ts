import { redactJson, redactText } from '@nexus/untrusted/secrets';
import { visibleText } from '@nexus/untrusted/shown';

// All that commands print comes through here: much of it is what servers and other processes said. What would act on
// the terminal stands there as an escape, which in JSON means the same.

/** Writes lines to stdout, without secrets. @returns exit code 0 */
export function print(lines: readonly string[]): number {
  process.stdout.write(`${visibleText(redactText(lines.join('\n')))}\n`);
  return 0;
}

/**
 * Writes to stdout what a person is to agree to: with nothing masked, since a mask could stand for what would run.
 * @returns exit code 0
 */
export function printWhole(lines: readonly string[]): number {
  process.stdout.write(`${visibleText(lines.join('\n'))}\n`);
  return 0;
}

/** The same as JSON. @returns exit code 0 */
export function printJsonWhole(value: unknown): number {
  process.stdout.write(`${visibleText(JSON.stringify(value, null, 2))}\n`);
  return 0;
}

/** Writes a value to stdout as JSON, without secrets; it stays JSON. @returns exit code 0 */
export function printJson(value: unknown): number {
  process.stdout.write(`${visibleText(JSON.stringify(redactJson(value), null, 2))}\n`);
  return 0;
}

/** Says on stderr what is wrong. @returns exit code 1 */
export function fail(message: string): number {
  warn(message);
  return 1;
}

/** Says on stderr what a person should know. */
export function warn(message: string): void {
  process.stderr.write(`nexus: ${visibleText(redactText(message))}\n`);
}
