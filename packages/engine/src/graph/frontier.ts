import { type GraphNode, type GraphState, type RunGraph, ToolError } from '@nexus/plugin-sdk';

/** What a graph has done so far; plain JSON, which a child goes on from. */
export interface GraphProgress {
  readonly outputs: Record<string, unknown>;
  readonly visits: Record<string, number>;
  /** Nodes that have ended, or were left out. */
  readonly ended: readonly string[];
  /** Of a `forEach` in the middle: its items, and the outputs that are there. */
  readonly parts: Record<string, Parts>;
  readonly total: number;
}

interface Parts {
  readonly items: readonly unknown[];
  readonly outputs: unknown[];
  /** Indexes of items that have not ended. */
  readonly open: number[];
}

/** One visit to be made. */
export interface Unit {
  readonly node: string;
  readonly visit: number;
  readonly item?: unknown;
  readonly index?: number;
}

const MAX_ITEMS = 10_000;
const DEFAULT_MAX_VISITS = 10_000;
const DEFAULT_NODE_VISITS = 25;

/** Which visits of a graph are to be made next; the same for the same history. */
export class Frontier {
  readonly state: GraphState & { outputs: Record<string, unknown>; visits: Record<string, number> };
  readonly #graph: RunGraph;
  readonly #ended: Set<string>;
  readonly #parts: Map<string, Parts>;
  /** Visits under way, by node; of a `forEach`, how many. */
  readonly #running = new Map<string, number>();
  /** Nodes to visit again as soon as none that needs them is being visited. */
  readonly #restarting = new Set<string>();
  #total: number;

  constructor(graph: RunGraph, input: unknown, progress: GraphProgress | undefined) {
    this.#graph = graph;
    this.state = { input, outputs: { ...progress?.outputs }, visits: { ...progress?.visits } };
    this.#ended = new Set(progress?.ended);
    this.#parts = new Map(Object.entries(progress?.parts ?? {}));
    this.#total = progress?.total ?? 0;
  }

  get progress(): GraphProgress {
    return {
      outputs: this.state.outputs,
      visits: this.state.visits,
      ended: [...this.#ended],
      parts: Object.fromEntries(this.#parts),
      total: this.#total,
    };
  }

  /** Of its nodes, those that have ended or were left out. */
  get ended(): number {
    return this.#ended.size;
  }

  hasMore(): boolean {
    return this.#restarting.size > 0 || this.#ended.size < Object.keys(this.#graph.nodes).length;
  }

  /** The next visit that can begin now; those in the order of the graph's nodes. */
  take(): Unit | undefined {
    for (const name of Object.keys(this.#graph.nodes)) {
      const unit = this.#takeOf(name);
      if (unit) return unit;
    }
    return undefined;
  }

  #takeOf(name: string): Unit | undefined {
    const node = this.#nodeOf(name);
    if (this.#ended.has(name)) return undefined;
    const parts = this.#parts.get(name);
    if (parts) return this.#takePart(name, node, parts);
    if (this.#running.has(name) || !this.#isReady(name, node)) return undefined;
    if (node.when && !node.when(this.state)) {
      this.#ended.add(name);
      return this.take();
    }
    const visit = this.#countVisit(name, node);
    if (!node.forEach) return this.#begin({ node: name, visit });
    const items = [...node.forEach(this.state)];
    if (items.length > MAX_ITEMS) throw tooMany(name, items.length);
    if (items.length === 0) {
      this.state.outputs[name] = [];
      this.#ended.add(name);
      return this.take();
    }
    const made: Parts = { items, outputs: [], open: items.map((_, index) => index) };
    this.#parts.set(name, made);
    return this.#takePart(name, node, made);
  }

  #takePart(name: string, node: GraphNode, { items, open }: Parts): Unit | undefined {
    const running = this.#running.get(name) ?? 0;
    if (node.concurrency !== undefined && running >= node.concurrency) return undefined;
    const index = open[running];
    if (index === undefined) return undefined;
    // Those that run stay at the front, so that a child begins anew what had not ended.
    return this.#begin({ node: name, visit: this.state.visits[name] ?? 1, item: items[index], index });
  }

  #begin(unit: Unit): Unit {
    this.#total += 1;
    const limit = this.#graph.maxVisits ?? DEFAULT_MAX_VISITS;
    if (this.#total > limit) throw looped('its nodes', limit);
    this.#running.set(unit.node, (this.#running.get(unit.node) ?? 0) + 1);
    return unit;
  }

  #isReady(name: string, { needs = [] }: GraphNode): boolean {
    if (!needs.every((need) => this.#ended.has(need))) return false;
    return ![...this.#restarting].some((each) => each === name || this.#dependents(each).has(name));
  }

  #countVisit(name: string, node: GraphNode): number {
    const visit = (this.state.visits[name] ?? 0) + 1;
    const limit = mostVisits(node);
    if (visit > limit) throw looped(name, limit);
    this.state.visits[name] = visit;
    return visit;
  }

  /** @returns nodes to visit again */
  end({ node: name, index }: Unit, output: unknown): readonly string[] {
    const running = (this.#running.get(name) ?? 1) - 1;
    if (running > 0) this.#running.set(name, running);
    else this.#running.delete(name);
    const parts = this.#parts.get(name);
    if (parts && index !== undefined) {
      parts.outputs[index] = output;
      // Those that run stand at the front, so that this looks at few and copies none.
      parts.open.splice(parts.open.indexOf(index), 1);
      if (parts.open.length > 0) return [];
      this.#parts.delete(name);
    }
    this.state.outputs[name] = parts ? parts.outputs : output;
    this.#ended.add(name);
    const again = this.#nodeOf(name).again?.(this.state) ?? [];
    for (const each of again) {
      this.#nodeOf(each);
      this.#restarting.add(each);
    }
    this.#restart();
    return again;
  }

  /** Nodes that are to be visited again are open again, once nothing that needs them is under way. */
  #restart(): void {
    for (const name of [...this.#restarting]) {
      const affected = [name, ...this.#dependents(name)];
      if (affected.some((each) => this.#running.has(each) || this.#parts.has(each))) continue;
      this.#restarting.delete(name);
      for (const each of affected) this.#ended.delete(each);
    }
  }

  /** All that needs a node, directly or not. */
  #dependents(name: string): ReadonlySet<string> {
    const found = new Set<string>();
    const add = (need: string) => {
      for (const [each, { needs = [] }] of Object.entries(this.#graph.nodes)) {
        if (!needs.includes(need) || found.has(each)) continue;
        found.add(each);
        add(each);
      }
    };
    add(name);
    return found;
  }

  #nodeOf(name: string): GraphNode {
    const node = this.#graph.nodes[name];
    if (!node) throw new ToolError('NEXUS_INVALID_ARGUMENTS', `The graph has no node "${name}".`);
    return node;
  }
}

/** How often a node may be visited. */
export function mostVisits({ maxVisits = DEFAULT_NODE_VISITS }: GraphNode): number {
  return maxVisits;
}

function looped(what: string, limit: number): ToolError {
  const text = `The graph has visited ${what} ${limit} times, the most that it may: a condition never holds, or the limit is too low.`;
  return new ToolError('NEXUS_LOOP', text, { detail: { what, visits: limit } });
}

function tooMany(name: string, count: number): ToolError {
  const text = `forEach of "${name}" has ${count} items; at most ${MAX_ITEMS} are visited.`;
  return new ToolError('NEXUS_INVALID_ARGUMENTS', text, { detail: { node: name, count } });
}
