import { redactJson, redactText } from '@nexus/untrusted/secrets';
import { visibleText } from '@nexus/untrusted/shown';
import { markdownLook, markdownRenderer } from './render-markdown.ts';
import { shown } from './shown.ts';
import { outputColumns } from './window-size.ts';

// All that commands print comes through here: much of it is what servers and other processes said. What would act on
// the terminal stands there as an escape, which in JSON means the same.

/** Writes lines to stdout, without secrets. @returns exit code 0 */
export function print(lines: readonly string[]): number {
  process.stdout.write(`${shown(redactText(lines.join('\n')), process.stdout)}\n`);
  return 0;
}

/** Markdown as a chat shows it, on a terminal; for a file or a program as it was written. @returns exit code 0 */
export function printMarkdown(markdown: string): number {
  if (outputColumns() === undefined) return print([markdown]);
  // It escapes by itself what would act on the terminal: what is left of that is its own.
  const renderer = markdownRenderer(markdownLook(process.stdout));
  process.stdout.write(renderer.push(`${redactText(markdown).trimEnd()}\n`) + renderer.end());
  return 0;
}

/**
 * Writes to stdout what a person is to agree to: with nothing masked, since a mask could stand for what would run.
 * @returns exit code 0
 */
export function printWhole(lines: readonly string[]): number {
  process.stdout.write(`${shown(lines.join('\n'), process.stdout)}\n`);
  return 0;
}

/** The same on stderr, before a question. */
export function sayWhole(lines: readonly string[]): void {
  process.stderr.write(`${shown(lines.join('\n'), process.stderr)}\n`);
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

/** Waits until what was printed has left this process. @returns false where whoever reads it has gone */
export async function written(): Promise<boolean> {
  const each = [process.stdout, process.stderr].map(
    (stream) => new Promise<boolean>((resolve) => stream.write('', (error) => resolve(!error))),
  );
  return (await Promise.all(each)).every(Boolean);
}

/** Says on stderr what is wrong. @returns exit code 1 */
export function fail(message: string): number {
  warn(message);
  return 1;
}

/** Says on stderr what a person should know. */
export function warn(message: string): void {
  process.stderr.write(`${shown(`nexus: ${redactText(message)}`, process.stderr)}\n`);
}

/** Says on stderr what only precedes or follows what a command answers. */
export function say(line: string): void {
  process.stderr.write(`${shown(redactText(line), process.stderr)}\n`);
}
