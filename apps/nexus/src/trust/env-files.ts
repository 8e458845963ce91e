import { parseEnv } from 'node:util';
import { readTextSync } from '@nexus/primitives';
import { runsCode } from './code-variables.ts';

/** A variable by which a program is made to run something else than its words say, and the file that sets it. */
export interface SetVariable {
  readonly file: string;
  readonly name: string;
  readonly value: string;
}

const OPTION = /^--env-file(?:-if-exists)?$/;
const MAX_BYTES = 1024 * 1024;

/** Files by which a program is told variables, wherever the option stands: `--env-file x`, `--env-file-if-exists=x`. */
export function envFilesOf(words: readonly string[]): string[] {
  return words.flatMap((word, index) => {
    const [, option = word, value] = /^([^=]*)=(.*)$/s.exec(word) ?? [];
    const file = OPTION.test(option) ? (value ?? words[index + 1]) : undefined;
    return file === undefined || file === '' ? [] : [file];
  });
}

/**
 * What such a file sets that makes programs run something; its other values are nobody's to see.
 * @throws {Error} where it is larger than 1 MB, or not for this user
 */
export function codeVariablesOf(file: string): SetVariable[] {
  const set = Object.entries(parseEnv(readTextSync(file, MAX_BYTES)));
  return set.flatMap(([name, value]) =>
    runsCode(name) && value !== undefined ? [{ file, name, value }] : [],
  );
}
