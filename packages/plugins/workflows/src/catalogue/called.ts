import { hasExpression } from '../definition/file-check.ts';
import type { PlacedWork } from '../definition/placed-work.ts';
import { readUses } from '../definition/uses.ts';

/** Of a call that says only when it is made which workflow it is of. */
export const ANY = Symbol('any workflow');

export type Called = string | typeof ANY;

/** Which argument of a tool names the workflow that it runs. */
const NAMED_BY: Readonly<Record<string, string>> = {
  run_workflow: 'template',
  run_graph_workflow: 'workflow',
};
const RUNNERS = Object.keys(NAMED_BY);

/** Names and paths of the workflows that the steps of a file call. */
export function calledIn(work: readonly PlacedWork[]): Set<Called> {
  return new Set(work.flatMap(calledBy));
}

function calledBy({ uses, with: given }: PlacedWork): Called[] {
  const read = readUses(uses);
  const argument = read?.type === 'tool' ? NAMED_BY[read.tool] : undefined;
  if (argument !== undefined) {
    const asked = given[argument];
    return typeof asked === 'string' && !hasExpression(asked) ? [asked] : [ANY];
  }
  // By another tool, such as one that begins a job.
  const text = JSON.stringify(given);
  return RUNNERS.some((tool) => text.includes(tool)) ? [ANY] : [];
}
