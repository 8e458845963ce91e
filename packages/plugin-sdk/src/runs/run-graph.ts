import type { RunContext } from './run-context.ts';

/**
 * Nodes that are visited as soon as what they need has ended, side by side where they may. A node can send
 * the run back to others, which are then visited again with all that needs them.
 */
export interface RunGraph<Output = unknown> {
  readonly nodes: Readonly<Record<string, GraphNode>>;
  /** At once; default 8. */
  readonly concurrency?: number;
  /** Visits in all, before the run fails with NEXUS_LOOP; default 10 000. */
  readonly maxVisits?: number;
  /** What the run answers; by default every node's output. */
  result?(state: GraphState): Output;
}

export interface GraphNode {
  /** For people; the name by default. */
  readonly title?: string;
  /** Nodes that must have ended, or been left out, first. */
  readonly needs?: readonly string[];
  /** Whether to visit it; left out otherwise, and what needs it is judged by its own `when`. */
  when?(state: GraphState): boolean;
  /** One visit for each, all of one output: the list of theirs. At most 10 000. */
  forEach?(state: GraphState): readonly unknown[];
  /** Of its `forEach` at once; the graph's by default. */
  readonly concurrency?: number;
  /** What one visit does, through its `run`. What it answers, as plain JSON, is the node’s output. */
  visit(visit: GraphVisit): Promise<unknown>;
  /** After it has ended: nodes to visit again, this one too if it is named. */
  again?(state: GraphState): readonly string[];
  /** Before the run fails with NEXUS_LOOP; default 25. */
  readonly maxVisits?: number;
  /** Names of the questions that a visit may ask; unsaid, any. By another nothing is answered ahead. */
  readonly asks?: readonly string[];
}

/** What a graph knows at a moment; plain JSON. */
export interface GraphState {
  readonly input: unknown;
  /** By node; of those visited again, the last. */
  readonly outputs: Readonly<Record<string, unknown>>;
  /** By node: how often. */
  readonly visits: Readonly<Record<string, number>>;
}

export interface GraphVisit {
  readonly node: string;
  /** From 1. */
  readonly visit: number;
  /** Of `forEach`. */
  readonly item?: unknown;
  readonly index?: number;
  readonly state: GraphState;
  /** Names of steps, children and questions are made from node, visit and item: those used here are short. */
  readonly run: RunContext;
}
