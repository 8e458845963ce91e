import type { Stage } from '../stages.ts';

export const research: Stage = {
  id: 'research',
  title: 'Find out how things are',
  does: {
    kind: 'expert',
    role: 'research',
    task: 'Find out what must be known for the task: how things are today, what depends on them, and what is not known. Propose nothing yet.',
  },
  needs: [],
  isLeftOutWhenQuick: true,
};

export const plan: Stage = {
  id: 'plan',
  title: 'Plan',
  does: {
    kind: 'expert',
    role: 'architecture',
    task: 'Plan how the task is done: the steps in their order, what each changes, what could go wrong, and how it will be seen that it worked. It is voted on.',
  },
  needs: ['research'],
};

export const vote: Stage = { id: 'vote', title: 'Vote on the plan', does: { kind: 'vote' }, needs: ['plan'] };

export const review: Stage = {
  id: 'review',
  title: 'Review',
  does: {
    kind: 'expert',
    role: 'qa',
    task: 'Compare what was done with the task, sentence by sentence. Say what is met and what is not, and what shows it.',
  },
  needs: ['work'],
};
