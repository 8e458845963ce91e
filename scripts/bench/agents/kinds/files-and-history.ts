import { AT_MOST, type Kind } from '../work.ts';

export const filesAndHistory: Kind = {
  name: 'files and history',
  most: AT_MOST,
  tasks: () => [
    {
      asked: 'What is there below src/internal/observable?',
      nexus: [{ tool: 'list_files', arguments: { directory: 'src/internal/observable' } }],
      shell: [`rg --files src/internal/observable`],
      holds: ['BoundCallbackObservable', 'fromEventPattern.ts', 'WebSocketSubject.ts'].slice(1),
    },
    {
      asked: 'Which commits were there?',
      nexus: [{ tool: 'git_history', arguments: { action: 'log' } }],
      shell: [`git log --format='%h %ad %an: %s' --date=short`],
      holds: ['Take over the sources', 'Say more in src/internal/util/noop.ts'],
    },
    {
      asked: 'What did the last commit change?',
      nexus: [{ tool: 'git_history', arguments: { action: 'show' } }],
      shell: [`git show`],
      holds: ['+export function noop(): void { }'],
    },
    {
      asked: 'What has changed in util since the first commit?',
      nexus: [
        {
          tool: 'git_history',
          arguments: { action: 'diff', from: 'HEAD~2', ref: 'HEAD', path: 'src/internal/util' },
        },
      ],
      shell: [`git diff HEAD~2 HEAD -- src/internal/util`],
      holds: ['where it is there', '+export function noop(): void { }'],
    },
    {
      asked: 'Who wrote the lines of arrRemove, and when?',
      nexus: [
        {
          tool: 'git_history',
          arguments: { action: 'blame', path: 'src/internal/util/arrRemove.ts' },
        },
      ],
      shell: [`git blame --date=short src/internal/util/arrRemove.ts`],
      holds: ['Ada', 'splice(index, 1)'],
    },
  ],
};
