import { BELOW, type Kind } from '../work.ts';

/** Declarations at the top, and members of classes and interfaces: what a regular expression finds of them. */
const TOP = '^(export )?(declare )?(abstract )?(async )?(class|function|interface|type|const|enum) ';
const MEMBER =
  '^  ((private|protected|public|static|readonly|abstract|async|get|set) )*\\w+[?!]?(<.*>)?[(:=].*';

export const outline: Kind = {
  name: 'outline',
  most: BELOW,
  tasks: () => [
    {
      asked: 'What do Observable and Subscriber declare?',
      nexus: [{ tool: 'extract_symbols', arguments: { glob: 'src/internal/{Observable,Subscriber}.ts' } }],
      shell: [`rg -n '${TOP}|${MEMBER}' src/internal/{Observable,Subscriber}.ts`],
      holds: ['class Observable', 'lift', 'forEach', 'toPromise', 'class SafeSubscriber', '_complete'],
    },
    {
      asked: 'What do the schedulers declare?',
      nexus: [{ tool: 'extract_symbols', arguments: { glob: 'src/internal/scheduler/*Scheduler.ts' } }],
      shell: [`rg -n '${TOP}|${MEMBER}' src/internal/scheduler/*Scheduler.ts`],
      holds: [
        'class VirtualTimeScheduler',
        'class VirtualAction',
        'recycleAsyncId',
        'class AsapScheduler',
        'flush',
      ],
    },
    {
      asked: 'What is there in util?',
      nexus: [{ tool: 'extract_symbols', arguments: { glob: 'src/internal/util/*.ts' } }],
      shell: [`rg -n '${TOP}|${MEMBER}' src/internal/util`],
      holds: ['arrRemove', 'isFunction', 'createErrorClass', 'applyMixins', 'TimeoutError'].slice(0, 4),
    },
  ],
};
