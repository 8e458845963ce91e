import type { Case } from './cases/cases.ts';
import { lineOf, type Tree } from './cases/trees.ts';
import { passes } from './hidden-test.ts';
import type { CaseAnswer, Place } from './ways/answer.ts';

/** What is told of a case, each right or not. */
export type Score = Readonly<Record<string, boolean>>;

/** Lines that a place may be beside the fault. */
const NEAR_LINES = 3;

/** Holds an answer against the truth. @param standing the case's project as it was asked about */
export async function scoreOf(given: Case, answer: CaseAnswer, standing: Tree): Promise<Score> {
  if (answer.kind !== given.kind) throw new Error(`an answer to ${answer.kind} is none to ${given.kind}`);
  const code = standing[given.file] ?? '';
  switch (given.kind) {
    case 'bug': {
      const { places, text } = answer as CaseAnswer & { kind: 'bug' };
      const isThere = places.some(isAt(given.file, lineOf(code, given.fault)));
      const tree = { ...standing, [given.file]: text ?? '' };
      const isMended = text !== null && (await passes(tree, given.file, given.fault.test));
      return { found: isThere, fixed: isMended };
    }
    case 'faulty-diff': {
      const { findings } = answer as CaseAnswer & { kind: 'faulty-diff' };
      const isFault = isAt(given.file, lineOf(code, given.edit));
      return { found: findings.some(isFault), 'nothing else': findings.every(isFault) };
    }
    case 'clean-diff':
      return { silent: (answer as CaseAnswer & { kind: 'clean-diff' }).findings.length === 0 };
    case 'spec':
      return { right: (answer as CaseAnswer & { kind: 'spec' }).isMet === given.isMet };
    case 'question': {
      const { answer: text } = answer as CaseAnswer & { kind: 'question' };
      return { right: given.accepts.every((accepted) => accepted.test(text)) };
    }
  }
}

function isAt(wanted: string, line: number) {
  return ({ file, from, to }: Place) =>
    file.replace(/^\.\//, '') === wanted && from - NEAR_LINES <= line && line <= to + NEAR_LINES;
}
