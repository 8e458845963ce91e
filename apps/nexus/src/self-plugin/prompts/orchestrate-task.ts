import type { PromptDefinition } from '@nexus/plugin-sdk';
import type { Self } from '../self-plugin.ts';
import { pointTo } from './available.ts';

export const orchestrateTask: PromptDefinition<Self> = {
  name: 'orchestrate-task',
  title: 'Orchestrate a task',
  description: 'Split a task into steps, have each done and checked, and join the results.',
  arguments: [
    { name: 'task', description: 'What is to be done', required: true },
    { name: 'constraints', description: 'What must hold, such as no new dependencies', required: false },
  ],
  render({ task, constraints }, context) {
    const how = pointTo(
      context,
      { orchestrate: 'Call orchestrate with the task, and watch its progress.' },
      'Split it into steps that can be checked one by one, say which depend on which, and do them in that order.',
    );
    const memory = pointTo(
      context,
      {
        memory_query:
          'Ask memory_query first what is known of this, and record what was learnt with memory_write.',
      },
      '',
    );
    return [
      `Task: ${task}`,
      ...(constraints ? [`Constraints: ${constraints}`] : []),
      how,
      ...(memory ? [memory] : []),
      'After each step state how you know that it is done. End with the result, what is open, and what you would do next.',
    ].join('\n');
  },
};
