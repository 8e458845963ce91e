import { definePlugin } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { workflowsWordCount } from './workflows-word-count.ts';

export default definePlugin({
  name: 'workflows',
  options: z.object({}),
  tools: [workflowsWordCount],
  start: async () => undefined,
  async stop() {},
});
