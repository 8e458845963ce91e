import { join } from 'node:path';
import { z } from 'zod';
import { type AllowedCommands, runAllowed } from '../../commands/allowed.ts';
import { type TreeTool, type TreeWork, treeTool } from './tree-tool.ts';

export const RUN_COMMAND = 'run_command';

export function runTreeCommand(work: TreeWork, commands: AllowedCommands): TreeTool {
  const names = Object.keys(commands.commands);
  return treeTool(
    {
      name: RUN_COMMAND,
      description: `Runs one of the project’s commands in the worktree, and gives what it printed. There are: ${names.join(', ')}.`,
      input: z.object({ name: z.string().min(1).max(100).describe('Of the command, as listed.') }),
      isReadOnly: false,
      isRepeatable: false,
      async run({ name }, place, signal) {
        const { outcome, exitCode, output } = await runAllowed(commands, name, {
          cwd: join(place.path, place.folder),
          signal,
          programs: work.programs,
        });
        const code = exitCode === undefined ? '' : `, exit ${exitCode}`;
        return `${name}: ${outcome.replace('_', ' ')}${code}\n${output}`;
      },
    },
    work,
  );
}
