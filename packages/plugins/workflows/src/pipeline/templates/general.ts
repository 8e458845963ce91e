import type { PipelineTemplate } from '../stages.ts';
import { plan, research, review, vote } from './stages-of-most.ts';

export const general = {
  name: 'general',
  description: 'Any other task: research, plan, vote, work, review.',
  words: {},
  stages: [
    research,
    plan,
    vote,
    {
      id: 'work',
      title: 'Do it',
      does: {
        kind: 'expert',
        role: 'research',
        task: 'Do the task by the agreed plan, as far as reading and writing an answer can do it. The answer is the result: whole, and nothing beside it.',
      },
      needs: ['plan', 'vote'],
    },
    review,
  ],
} as const satisfies PipelineTemplate;
