import { cleanEdits } from './clean-edits.ts';
import { type Edit, type Fault, faults } from './faults.ts';
import { type PackageName, packages } from './packages.ts';
import { questions } from './questions.ts';

export const kinds = ['bug', 'faulty-diff', 'clean-diff', 'spec', 'question'] as const;

export type Kind = (typeof kinds)[number];

/** Where a case plays: a package as npm serves it, or files of a test's own. */
export type Source = { readonly package: PackageName } | { readonly files: Readonly<Record<string, string>> };

interface Common {
  /** Unique; says what it is about. */
  readonly id: string;
  readonly source: Source;
  /** The file with the code. */
  readonly file: string;
}

/** A planted bug: where is it, and does the fix pass the test? */
export interface BugCase extends Common {
  readonly kind: 'bug';
  readonly fault: Planted;
}

/** A change, of which somebody is asked what is wrong with it. */
export interface DiffCase extends Common {
  readonly kind: 'faulty-diff' | 'clean-diff';
  readonly title: string;
  readonly edit: Edit;
}

/** A requirement that the code meets or, with the fault in it, does not. */
export interface SpecCase extends Common {
  readonly kind: 'spec';
  readonly requirement: string;
  readonly isMet: boolean;
  /** What is planted, where it is not met. */
  readonly edit: Edit | undefined;
}

export interface QuestionCase extends Common {
  readonly kind: 'question';
  readonly question: string;
  readonly accepts: readonly RegExp[];
}

export type Planted = Pick<Fault, 'from' | 'to' | 'symptom' | 'test'>;

export type Case = BugCase | DiffCase | SpecCase | QuestionCase;

const at = (name: PackageName) => ({ source: { package: name }, file: packages[name].file });

/** Each fault as a bug, as a change that brings it in, and as a requirement, every other one met. */
export const cases: readonly Case[] = [
  ...faults.map((fault): BugCase => ({ ...at(fault.package), id: `bug ${fault.id}`, kind: 'bug', fault })),
  ...faults.map(
    (fault): DiffCase => ({
      ...at(fault.package),
      ...{ id: `diff ${fault.id}`, kind: 'faulty-diff', title: fault.title, edit: fault },
    }),
  ),
  ...cleanEdits.map(
    (edit): DiffCase => ({
      ...at(edit.package),
      ...{ id: `clean ${edit.package}`, kind: 'clean-diff', title: edit.title, edit },
    }),
  ),
  ...faults.map(
    (fault, index): SpecCase => ({
      ...at(fault.package),
      ...{ id: `spec ${fault.id}`, kind: 'spec', requirement: fault.requirement },
      isMet: index % 2 === 0,
      edit: index % 2 === 0 ? undefined : fault,
    }),
  ),
  ...questions.map(
    (asked): QuestionCase => ({
      ...at(asked.package),
      ...{
        id: `question ${asked.package}`,
        kind: 'question',
        question: asked.question,
        accepts: asked.accepts,
      },
    }),
  ),
];
