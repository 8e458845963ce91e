import { BELOW, type Kind } from '../work.ts';

const OPERATORS = [
  'debounce',
  'throttle',
  'audit',
  'sample',
  'delayWhen',
  'exhaustMap',
  'mergeScan',
  'bufferToggle',
];
const FILES = [
  'AsapAction',
  'AsapScheduler',
  'QueueAction',
  'QueueScheduler',
  'Action',
  'AnimationFrameAction',
];

export const readsInBulk: Kind = {
  name: 'reads in bulk',
  most: BELOW,
  tasks: () => [
    {
      asked: 'Eight functions of eight files, by name, with their line numbers',
      nexus: [
        {
          tool: 'bundle',
          arguments: {
            ops: OPERATORS.map((symbol) => ({
              ...{ tool: 'read_file', path: `src/internal/operators/${symbol}.ts`, symbol },
            })),
          },
        },
      ],
      shell: [
        `cd src/internal/operators; awk 'FNR==1{print FILENAME} /^export function (${OPERATORS.join('|')})</,/^}/{print FNR"\\t"$0}' {${OPERATORS.join(',')}}.ts`,
      ],
      holds: OPERATORS.map((name) => `export function ${name}<`),
    },
    {
      asked: 'Six short files whole, with their line numbers',
      nexus: [
        {
          tool: 'bundle',
          arguments: {
            ops: FILES.map((name) => ({ tool: 'read_file', path: `src/internal/scheduler/${name}.ts` })),
          },
        },
      ],
      shell: [
        `cd src/internal/scheduler; awk 'FNR==1{print FILENAME} {print FNR"\\t"$0}' {${FILES.join(',')}}.ts`,
      ],
      holds: ['class AsapAction', 'class QueueScheduler'],
    },
  ],
};
