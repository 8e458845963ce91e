import { listFolders } from './list-folders.ts';
import { parseFiles } from './parse-files.ts';
import type { WorkerTask } from './task.ts';

/** Runs in a thread, since what lies in a repository may be made to hold or break whoever reads it. */
export default async function run(task: WorkerTask): Promise<unknown> {
  return task.kind === 'parse' ? parseFiles(task) : listFolders(task);
}
