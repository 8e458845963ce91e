import type { PipelineTemplate } from '../stages.ts';
import { plan, research, review, vote } from './stages-of-most.ts';

export const greenfield = {
  name: 'greenfield',
  description:
    'Something new: requirements, architecture, vote, then code, tests and operation side by side.',
  words: {
    greenfield: 5,
    scratch: 4,
    new: 1,
    prototype: 3,
    bootstrap: 3,
    scaffold: 3,
    startup: 2,
    mvp: 4,
    design: 2,
    product: 2,
    build: 1,
    create: 1,
    architect: 2,
    application: 1,
    service: 1,
    app: 1,
    platform: 2,
    idea: 2,
    launch: 2,
  },
  stages: [
    {
      ...research,
      does: {
        kind: 'expert',
        role: 'research',
        task: 'Find out what there is already that does what the task wants, what others learnt, and what can be reused.',
      },
    },
    {
      id: 'requirements',
      title: 'Write the requirements',
      does: {
        kind: 'expert',
        role: 'pm',
        task: 'Turn the task into requirements with an acceptance test each, and cut them to what proves the idea first.',
      },
      needs: ['research'],
    },
    {
      ...plan,
      title: 'Design it',
      does: {
        kind: 'expert',
        role: 'architecture',
        task: 'Design what meets the requirements: parts, borders, data, what was weighed, and the order in which it is built. It is voted on.',
      },
      needs: ['requirements'],
    },
    vote,
    {
      id: 'work',
      title: 'Work the first slice out',
      does: {
        kind: 'expert',
        role: 'code',
        task: 'Work out the first slice of the agreed design that runs end to end: its files, whole.',
      },
      needs: ['plan', 'vote'],
    },
    {
      id: 'tests',
      title: 'Design the tests',
      does: {
        kind: 'expert',
        role: 'testing',
        task: 'Design the tests of the agreed design, from what its users rely on.',
      },
      needs: ['plan', 'vote'],
      isLeftOutWhenQuick: true,
    },
    {
      id: 'operation',
      title: 'Plan the operation',
      does: {
        kind: 'expert',
        role: 'devops',
        task: 'Plan how the agreed design is built, released, watched and rolled back.',
      },
      needs: ['plan', 'vote'],
      isLeftOutWhenQuick: true,
    },
    { ...review, needs: ['work', 'tests', 'operation'] },
  ],
} as const satisfies PipelineTemplate;
