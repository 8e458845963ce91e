import { definePlugin } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { keptIndexes } from './kept-index/kept-indexes.ts';
import { createToolFinder } from './tool-finder.ts';
import { closeToolbox } from './tools/close-toolbox.ts';
import { findTools } from './tools/find-tools.ts';
import { listToolboxes } from './tools/list-toolboxes.ts';
import { openToolbox } from './tools/open-toolbox.ts';
import { useTool } from './tools/use-tool.ts';

/** For whoever shows what they answer. */
export type { findTools, listToolboxes, openToolbox };

export default definePlugin({
  name: 'toolboxes',
  options: z.strictObject({}),
  tools: [listToolboxes, openToolbox, closeToolbox, findTools, useTool],
  start: async (_options, host) => createToolFinder(keptIndexes(host)),
  stop: async () => {},
});
