import type { Workspace } from './workspace.ts';

/** A piece of TypeScript that ships: no test, no fixture, no configuration of a tool. */
export function sourceFiles({ files }: Workspace): string[] {
  return files.filter(
    (file) =>
      /^(apps|packages)\/.+\/src\/.+\.ts$/.test(file) &&
      !file.endsWith('.test.ts') &&
      !file.includes('/fixtures/'),
  );
}

/** `file:line` of an offset in its text. */
export function place(file: string, text: string, offset: number): string {
  return `${file}:${text.slice(0, offset).split('\n').length}`;
}

const STRING_OR_COMMENT =
  /('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

/** The text with its comments blanked, so that offsets and lines stay. */
export function withoutComments(text: string): string {
  return text.replace(STRING_OR_COMMENT, (found: string, quoted: string | undefined) =>
    quoted === undefined ? found.replace(/[^\n]/g, ' ') : found,
  );
}
