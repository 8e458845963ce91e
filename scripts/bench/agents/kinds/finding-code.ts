import { AT_MOST, type Kind } from '../work.ts';

export const findingCode: Kind = {
  name: 'finding code',
  most: AT_MOST,
  tasks: () => [
    {
      asked: 'Where is createOperatorSubscriber declared?',
      nexus: [
        {
          tool: 'search_codebase',
          arguments: { query: 'createOperatorSubscriber', mode: 'symbol', context: 0 },
        },
      ],
      shell: [`rg -n 'function createOperatorSubscriber' src`],
      holds: ['src/internal/operators/OperatorSubscriber.ts', 'createOperatorSubscriber'],
    },
    {
      asked: 'Where does the code look at useDeprecatedNextContext, and what is around it?',
      nexus: [
        { tool: 'search_codebase', arguments: { query: 'useDeprecatedNextContext', directory: 'src' } },
      ],
      shell: [`rg -n -C2 useDeprecatedNextContext src`],
      holds: [
        'src/internal/Subscriber.ts',
        'src/internal/config.ts',
        'if (this && config.useDeprecatedNextContext)',
      ],
    },
    {
      asked: 'Which schedulers override requestAsyncId, and where?',
      nexus: [
        {
          tool: 'search_codebase',
          arguments: { query: 'requestAsyncId(', directory: 'src/internal/scheduler', context: 0 },
        },
      ],
      shell: [`rg -n -F 'requestAsyncId(' src/internal/scheduler`],
      holds: [
        'AsapAction.ts',
        'QueueAction.ts',
        'AnimationFrameAction.ts',
        'AsyncAction.ts',
        'VirtualTimeScheduler.ts',
      ],
    },
    {
      asked: 'Where are errors thrown that are of no class of this library?',
      nexus: [
        {
          tool: 'search_codebase',
          arguments: {
            query: 'throw new (Type)?Error\\(',
            mode: 'regex',
            directory: 'src',
            context: 0,
            limit: 50,
          },
        },
      ],
      shell: [`rg -n 'throw new (Type)?Error\\(' src`],
      holds: ['src/internal/testing/TestScheduler.ts', 'src/internal/observable/fromEvent.ts'],
    },
    {
      asked: 'Which files are about throttling?',
      nexus: [{ tool: 'search_codebase', arguments: { query: 'throttle', mode: 'path' } }],
      shell: [`rg --files | rg -i throttle`],
      holds: ['throttle.ts', 'throttleTime.ts'],
    },
  ],
};
