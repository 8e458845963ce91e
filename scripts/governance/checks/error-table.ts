import { errorTable, isKnownCode } from '@nexus/core';
import { nearestNames } from '@nexus/plugin-sdk';
import { place, sourceFiles, withoutComments } from '../../workspace/source-files.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { type Check, type Finding, lookedAtNothing } from '../check.ts';

const NAME = 'error-table';
const TABLE_FILE = 'packages/core/src/errors/table.ts';
/** The only places that may make a tool error: the envelope, and what passes another server's on. */
const MAY_MARK_ERRORS = /^packages\/(core\/src\/errors|downstream\/src)\//;

export const errorTableParity: Check = {
  name: NAME,
  proves: 'what the code throws and the table of error codes are the same, and no tool error bypasses it',
  run({ workspace }) {
    const files = sourceFiles(workspace).filter((file) => file !== TABLE_FILE);
    const thrown = files.flatMap((file) => thrownCodes(file, workspace.read(file)));
    if (thrown.length === 0) return lookedAtNothing(NAME, 'thrown error codes');
    return [
      ...thrown.flatMap(unknownCode),
      ...unusedCodes(workspace, files),
      ...files.flatMap((file) => bareErrors(file, workspace.read(file))),
    ];
  },
};

interface ThrownCode {
  readonly where: string;
  readonly code: string;
}

function thrownCodes(file: string, text: string): ThrownCode[] {
  return [...text.matchAll(/\bnew ToolError\(\s*['"](\w+)['"]/g)].map((match) => ({
    where: place(file, text, match.index),
    code: match[1] ?? '',
  }));
}

function unknownCode({ where, code }: ThrownCode): Finding[] {
  if (isKnownCode(code)) return [];
  const near = nearestNames(code, Object.keys(errorTable))[0];
  const fix = `add it to ${TABLE_FILE}${near ? `, or use ${near}` : ''}`;
  return [{ check: NAME, where, what: `throws ${code}, which is not in the table`, fix }];
}

/** A code counts as used where it is quoted: thrown, or compared with. */
function unusedCodes(workspace: Workspace, files: readonly string[]): Finding[] {
  const source = files.map((file) => workspace.read(file)).join('\n');
  return Object.keys(errorTable)
    .filter((code) => !source.includes(`'${code}'`))
    .map((code) => ({
      check: NAME,
      where: TABLE_FILE,
      what: `${code} is in the table and nowhere used`,
      fix: 'remove it, or throw it where it belongs',
    }));
}

function bareErrors(file: string, text: string): Finding[] {
  if (MAY_MARK_ERRORS.test(file)) return [];
  return [...withoutComments(text).matchAll(/\bisError: true\b/g)].map((match) => ({
    check: NAME,
    where: place(file, text, match.index),
    what: 'makes a result with a bare `isError: true`',
    fix: 'throw a ToolError with a code of the table',
  }));
}
