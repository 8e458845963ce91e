import { filesOf } from '../fetch-package.ts';
import type { Case, Source } from './cases.ts';
import type { Edit } from './faults.ts';

export type Tree = Readonly<Record<string, string>>;

/** A case's project: as it is committed, and as it stands then. They differ where the case is a change. */
export interface Trees {
  readonly committed: Tree;
  readonly standing: Tree;
}

export async function treesOf(given: Case): Promise<Trees> {
  const original = await load(given.source);
  const edited = (edit: Edit | undefined) =>
    edit === undefined ? original : { ...original, [given.file]: applied(original[given.file] ?? '', edit) };
  switch (given.kind) {
    case 'bug': {
      const faulty = edited(given.fault);
      return { committed: faulty, standing: faulty };
    }
    case 'faulty-diff':
    case 'clean-diff':
      return { committed: original, standing: edited(given.edit) };
    case 'spec': {
      const tree = edited(given.edit);
      return { committed: tree, standing: tree };
    }
    case 'question':
      return { committed: original, standing: original };
  }
}

export function load(source: Source): Promise<Tree> {
  return 'package' in source ? filesOf(source.package) : Promise.resolve(source.files);
}

/** @throws where the place is not there once */
export function applied(text: string, { from, to }: Edit): string {
  const parts = text.split(from);
  if (parts.length !== 2) throw new Error(`${JSON.stringify(from)} stands there ${parts.length - 1} times`);
  return parts.join(to);
}

/** The line, from 1, at which an edit begins to change a text that holds what it changes it to. */
export function lineOf(text: string, { from, to }: Edit): number {
  const start = text.indexOf(to);
  let same = 0;
  while (same < Math.min(from.length, to.length) && from[same] === to[same]) same += 1;
  return text.slice(0, start + same).split('\n').length;
}
