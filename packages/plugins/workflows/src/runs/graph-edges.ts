import type { GraphState } from '@nexus/plugin-sdk';
import type { GraphFile } from '../definition/file-schema.ts';
import type { Scope } from '../expressions/evaluate.ts';
import { isTrue } from '../expressions/values.ts';
import { Work } from '../expressions/work.ts';
import { filler } from './fill.ts';

/** What a visit of a node leaves behind; plain JSON, from which alone it is known what comes next. */
export interface VisitRecord {
  readonly output: unknown;
  /** What it changed of the state, and how many visits had ended when it did. */
  readonly set: Readonly<Record<string, unknown>>;
  readonly endedAs: number;
  /** Which visit it was. */
  readonly visit: number;
  /** Edges from here that the run goes on by, by their place in the file. */
  readonly taken: readonly number[];
  /** How often each edge back from here has been taken, this time counted. */
  readonly went: Readonly<Record<string, number>>;
  /** Edges to here, and the visit of their node that this visit came from. */
  readonly cameBy: Readonly<Record<string, number>>;
}

export type Records = Readonly<Record<string, VisitRecord>>;

/** The outputs of the nodes that visits make; those that only gather items are nobody's record. */
export function recordsOf({ outputs }: Pick<GraphState, 'outputs'>): Records {
  return outputs as Records; // as `visit` in graph-run makes them
}

export type Edges = GraphFile['edges'];

/** Whether a node is to be visited: as the first, or by an edge that was taken and not followed yet. */
export function isWanted(node: string, edges: Edges, records: Records): boolean {
  const isStart = !edges.some(({ to, atMost }) => to === node && atMost === undefined);
  if (isStart && !Object.hasOwn(records, node)) return true;
  return edges.some(({ to }, index) => to === node && isOpen(index, edges, records));
}

/** An edge leads on once for each visit that took it. */
function isOpen(index: number, edges: Edges, records: Records): boolean {
  const edge = edges[index];
  const from = edge && own(records, edge.from);
  if (!edge || !from?.taken.includes(index)) return false;
  return from.visit > (own(records, edge.to)?.cameBy[index] ?? 0);
}

/** By which visits of the nodes before it a visit comes about. */
export function cameBy(node: string, edges: Edges, records: Records): Record<string, number> {
  return Object.fromEntries(
    edges.flatMap(({ from, to }, index) => {
      const record = to === node ? own(records, from) : undefined;
      return record ? [[index, record.visit]] : [];
    }),
  );
}

/** The edges that a node takes when it has ended, each judged once, by what stands then. */
export function takenFrom(
  node: string,
  edges: Edges,
  { scope, before }: { readonly scope: Scope; readonly before: VisitRecord | undefined },
): Pick<VisitRecord, 'taken' | 'went'> {
  const went: Record<string, number> = { ...before?.went };
  const taken: number[] = [];
  const work = new Work();
  edges.forEach(({ from, if: condition, atMost }, index) => {
    if (from !== node) return;
    const count = went[index] ?? 0;
    if (atMost !== undefined && count >= atMost) return;
    if (condition !== undefined && !isTrue(filler(condition, `if of edge ${index + 1}`)(scope, work))) return;
    taken.push(index);
    if (atMost !== undefined) went[index] = count + 1;
  });
  return { taken, went };
}

export function own<Value>(of: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(of, key) ? of[key] : undefined;
}
