import type { PipelineTemplate } from '../stages.ts';
import { plan, research, review, vote } from './stages-of-most.ts';

export const dev = {
  name: 'dev',
  description: 'A change of code: research, plan, vote, work, review.',
  words: {
    implement: 3,
    fix: 3,
    bug: 3,
    refactor: 3,
    rename: 2,
    code: 1,
    function: 2,
    test: 1,
    endpoint: 2,
    compile: 2,
    crash: 2,
    error: 1,
    add: 1,
    change: 1,
    migrat: 2,
    upgrade: 2,
    method: 1,
    class: 1,
    commit: 2,
    branch: 1,
    feature: 2,
  },
  stages: [
    research,
    plan,
    vote,
    {
      id: 'work',
      title: 'Work the change out',
      does: {
        kind: 'expert',
        role: 'code',
        task: 'Work the agreed plan out as a patch in unified diff form that can be applied as it stands, file by file, with the tests that show it. You can’t write the files yourself.',
      },
      needs: ['plan', 'vote'],
    },
    review,
  ],
} as const satisfies PipelineTemplate;
