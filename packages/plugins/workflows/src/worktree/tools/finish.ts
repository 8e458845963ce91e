import type { TreeTool } from './tree-tool.ts';

/** For work that is judged by what is left in the worktree: nobody has to be asked again only to say that it is done. */
export const finish: TreeTool = {
  name: 'finish',
  description: 'Ends your work. Call it beside your last edits; if one of them fails, you go on.',
  inputSchema: { type: 'object', properties: {} },
  isReadOnly: true,
  isRepeatable: true,
  isLast: true,
  call: async () => ({ content: [{ type: 'text', text: 'It ends here.' }] }),
};
