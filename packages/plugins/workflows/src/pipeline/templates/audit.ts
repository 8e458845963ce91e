import type { PipelineTemplate } from '../stages.ts';

export const audit = {
  name: 'audit',
  description:
    'A judgement of what there is: scope, then security, code and tests side by side, then a report.',
  words: {
    audit: 4,
    review: 2,
    security: 3,
    vulnerab: 4,
    complian: 3,
    threat: 3,
    assess: 3,
    inspect: 2,
    risk: 2,
    secret: 2,
    licen: 2,
    weak: 1,
    find: 1,
    check: 1,
    evaluat: 2,
    pentest: 4,
    owasp: 4,
  },
  stages: [
    {
      id: 'scope',
      title: 'Settle the scope',
      does: {
        kind: 'expert',
        role: 'research',
        task: 'Settle what the task is to judge: which files and parts, what they do, what they trust, and what is out of scope.',
      },
      needs: [],
    },
    {
      id: 'security',
      title: 'Judge the security',
      does: {
        kind: 'expert',
        role: 'security',
        task: 'Judge what the task names by its security. Report only what you can show, with file and line.',
      },
      needs: ['scope'],
    },
    {
      id: 'code',
      title: 'Judge the code',
      does: {
        kind: 'expert',
        role: 'code',
        task: 'Judge what the task names by its correctness: faults, races, borders, errors that are lost. Report only what you can show, with file and line.',
      },
      needs: ['scope'],
    },
    {
      id: 'tests',
      title: 'Judge the tests',
      does: {
        kind: 'expert',
        role: 'testing',
        task: 'Judge how what the task names is tested: what a fault could slip through, and which tests can not fail.',
      },
      needs: ['scope'],
      isLeftOutWhenQuick: true,
    },
    {
      id: 'check',
      title: 'Check the findings',
      does: {
        kind: 'expert',
        role: 'qa',
        task: 'Look each finding up where it says it stands, and drop those that do not hold or say the same. Add none.',
      },
      needs: ['security', 'code', 'tests'],
      isLeftOutWhenQuick: true,
    },
    {
      id: 'report',
      title: 'Report',
      does: {
        kind: 'expert',
        role: 'documentation',
        task: 'Write the report: the verdict first, then each finding with place, harm and remedy, the worst first, then what was looked at and found sound.',
      },
      needs: ['check'],
    },
  ],
} as const satisfies PipelineTemplate;
