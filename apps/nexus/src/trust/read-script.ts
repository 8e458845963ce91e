import { closeSync, openSync, readSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { parse } from 'shell-quote';

const MAX_BYTES = 4_096;
/** What is followed into what it imports. */
export const MODULE = /^\.[cm]?[jt]sx?$/;
const RUNS_MODULES = /^(?:node|nodejs|deno|bun|tsx|ts-node)$/;

/** What the beginning of a file says of how it is run. */
interface ScriptHead {
  /** Command lines, each of which the first line may stand for: systems differ in how they part its words. */
  readonly lines: readonly (readonly string[])[];
  readonly isModule: boolean;
  /** False where it is a script, and of what it runs nothing is read. */
  readonly isCertain: boolean;
}

/** @param isStarted by the system itself, which gives a text without a first line to a shell */
export function readScript(file: string, isStarted: boolean): ScriptHead {
  const head = headOf(file);
  const isLoaded = !isStarted && (MODULE.test(extname(file)) || extname(file) === '.json');
  if (!head.startsWith('#!')) return { lines: [], isModule: false, isCertain: isLoaded || head === '' };
  const [first = ''] = head.slice(2).split('\n');
  const [program = ''] = first.trim().split(/\s/);
  const rest = first.trim().slice(program.length).trim();
  const option = ['-S', '--split-string=', '--split-string '].find((each) => rest.startsWith(each));
  const split = basename(program) === 'env' && option !== undefined ? rest.slice(option.length) : undefined;
  const words = parse(split ?? rest).flatMap((token) => (typeof token === 'string' ? [token] : []));
  const whole = rest === '' || split !== undefined ? [] : [[program, rest]];
  const runner = basename(program) === 'env' ? words.find((word) => !/^-|^\w+=/.test(word)) : program;
  const isModule = RUNS_MODULES.test(basename(runner ?? ''));
  const isFollowed = isModule && (extname(file) === '' || MODULE.test(extname(file)));
  return { lines: [[program, ...words], ...whole], isModule, isCertain: isFollowed };
}

function headOf(file: string): string {
  const bytes = Buffer.alloc(MAX_BYTES);
  try {
    const opened = openSync(file, 'r');
    try {
      return bytes.toString('utf8', 0, readSync(opened, bytes, 0, MAX_BYTES, 0));
    } finally {
      closeSync(opened);
    }
  } catch {
    return '';
  }
}
