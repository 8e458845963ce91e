import { basename, isAbsolute } from 'node:path';
import { findProgram } from '../../config/find-program.ts';
import type { Machine } from './host-files.ts';

/** Before and after a path that stands in a longer text. */
const BEFORE = '(?<=^|[=:,;\\s"\'])';
const AFTER = '(?=$|[/\\\\:,;\\s"\'])';

/**
 * A text with the paths of this machine as any other has them: below the project relative to it, where a
 * server runs, below the user's home by the variable for that.
 * @param project what the project's folder is called instead: programs read paths of their environment from where they like
 */
export function portableText(text: string, { projectRoot, home, platform }: Machine, project = '.'): string {
  const variable = platform === 'win32' ? '${USERPROFILE}' : '${HOME}';
  return text
    .replace(new RegExp(`${BEFORE}${escaped(projectRoot)}${AFTER}`, 'g'), () => project)
    .replace(new RegExp(`${BEFORE}${escaped(home)}${AFTER}`, 'g'), () => variable);
}

/** A program by its name alone, where the name finds the same one. */
export function portableCommand(command: string, machine: Machine): string {
  if (!isAbsolute(command)) return command;
  const name = basename(command);
  const found = findProgram(name, { cwd: machine.projectRoot, env: machine.env });
  return found === command ? name : portableText(command, machine);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
