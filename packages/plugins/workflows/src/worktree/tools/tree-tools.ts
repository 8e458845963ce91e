import type { AllowedCommands } from '../../commands/allowed.ts';
import { deleteTreeFile } from './delete-file.ts';
import { editTreeFile } from './edit-file.ts';
import { listFiles } from './list-files.ts';
import { readTreeFile } from './read-file.ts';
import { runTreeCommand } from './run-command.ts';
import { searchFiles } from './search-files.ts';
import type { TreeTool, TreeWork } from './tree-tool.ts';
import { writeTreeFile } from './write-file.ts';

export function readingTools(work: TreeWork): readonly TreeTool[] {
  return [listFiles(work), readTreeFile(work), searchFiles(work)];
}

export function workingTools(work: TreeWork, commands: AllowedCommands): readonly TreeTool[] {
  return [
    ...readingTools(work),
    writeTreeFile(work),
    editTreeFile(work),
    deleteTreeFile(work),
    ...(Object.keys(commands.commands).length > 0 ? [runTreeCommand(work, commands)] : []),
  ];
}
