import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, extname, join, resolve } from 'node:path';

export interface Search {
  /** Where a relative path leads from. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** @returns the file that starting a command would run; undefined where there is none */
export function findProgram(command: string, { cwd, env }: Search): string | undefined {
  const isPath = /[\\/]/.test(command);
  const folders = isPath ? [''] : (env.PATH ?? env.Path ?? '').split(delimiter).filter(Boolean);
  return folders
    .flatMap((folder) => withExtensions(resolve(cwd, join(folder, command)), env))
    .find(isProgram);
}

/** On Windows a command is also found without the end of its name. */
function withExtensions(file: string, env: Search['env']): string[] {
  if (process.platform !== 'win32' || extname(file) !== '') return [file];
  const endings = (env.PATHEXT ?? '.COM;.EXE;.BAT;.CMD').split(';').filter(Boolean);
  return endings.map((ending) => `${file}${ending}`);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
