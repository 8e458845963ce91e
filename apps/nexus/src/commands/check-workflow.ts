import { print, printJson } from '../terminal/output.ts';
import type { Options } from './command.ts';
import type { DryRun } from './workflow-call.ts';

/**
 * Says what a workflow would do, or each fault as compilers say it: `file:line:column: what`. Missing inputs are
 * none: whoever runs it gives them.
 * @returns the exit code
 */
export function checkWorkflow(found: DryRun, options: Options): number {
  const { file, faults = [], summary } = found;
  const isSound = faults.length === 0;
  if (options.json) printJson(found);
  else if (isSound) print([summary]);
  else {
    const lines = faults.map(
      ({ line, column, path, message }) =>
        `${file}:${line}:${column}: ${path === '' ? '' : `${path}: `}${message}`,
    );
    print(lines);
  }
  return isSound ? 0 : 1;
}
