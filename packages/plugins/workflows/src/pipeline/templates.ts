import type { ExpertRole } from '@nexus/plugin-sdk';

export const pipelineNames = ['dev', 'audit', 'greenfield', 'general'] as const;

export type PipelineName = (typeof pipelineNames)[number];

/** One stage: an expert's turn, or a vote on what the stages before it came to. */
export interface Stage {
  readonly id: string;
  readonly title: string;
  readonly does: ExpertStage | VoteStage;
  /** Stages whose results it reads. */
  readonly needs: readonly string[];
  /** Left out in quick mode, and whatever needs it then reads what it needs. */
  readonly isLeftOutWhenQuick?: true;
}

export interface ExpertStage {
  readonly kind: 'expert';
  readonly role: ExpertRole;
  /** What it is to do with the task; the task itself comes as data. */
  readonly task: string;
}

/** Where it is voted down, what comes after is left out. */
export interface VoteStage {
  readonly kind: 'vote';
}

/** A pipeline as data. */
export interface PipelineTemplate {
  readonly name: PipelineName;
  readonly description: string;
  /** Beginnings of words that speak for it, and how much. */
  readonly words: Readonly<Record<string, number>>;
  readonly stages: readonly Stage[];
}

const research: Stage = {
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

const plan: Stage = {
  id: 'plan',
  title: 'Plan',
  does: {
    kind: 'expert',
    role: 'architecture',
    task: 'Plan how the task is done: the steps in their order, what each changes, what could go wrong, and how it will be seen that it worked. It is voted on.',
  },
  needs: ['research'],
};

const vote: Stage = { id: 'vote', title: 'Vote on the plan', does: { kind: 'vote' }, needs: ['plan'] };

const review: Stage = {
  id: 'review',
  title: 'Review',
  does: {
    kind: 'expert',
    role: 'qa',
    task: 'Compare what was done with the task, sentence by sentence. Say what is met and what is not, and what shows it.',
  },
  needs: ['work'],
};

export const pipelines = [
  {
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
  },
  {
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
  },
  {
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
  },
  {
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
  },
] as const satisfies readonly PipelineTemplate[];

export function pipelineNamed(name: PipelineName): PipelineTemplate {
  const found = pipelines.find((template) => template.name === name);
  if (!found) throw new Error(`no pipeline ${name}`); // its name is checked by the schema of whoever asks
  return found;
}

/** The stages that are done; in quick mode, those that are left out are stepped over. */
export function stagesOf({ stages }: PipelineTemplate, quickMode: boolean): readonly Stage[] {
  if (!quickMode) return stages;
  const isLeftOut = (id: string) => stages.some((stage) => stage.id === id && stage.isLeftOutWhenQuick);
  const reach = (id: string): string[] =>
    isLeftOut(id) ? (stages.find((stage) => stage.id === id)?.needs ?? []).flatMap(reach) : [id];
  return stages
    .filter(({ id }) => !isLeftOut(id))
    .map((stage) => ({ ...stage, needs: [...new Set(stage.needs.flatMap(reach))] }));
}
