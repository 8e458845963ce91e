import { createWorkspace, type Workspace } from './workspace.ts';

/** A workspace of the given files, for the tests of checks; objects are written as JSON. */
export function memoryWorkspace(files: Readonly<Record<string, string | object>>): Workspace {
  return createWorkspace('memory:', Object.keys(files), (file) => {
    const content = files[file];
    if (content === undefined) throw new Error(`No file ${file} in this workspace`);
    return typeof content === 'string' ? content : JSON.stringify(content);
  });
}
