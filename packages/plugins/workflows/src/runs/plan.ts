import type { Definition } from '../definition/file-schema.ts';
import { needsOf } from '../definition/needs.ts';

export interface Planned {
  readonly id: string;
  readonly uses: string;
  readonly title?: string;
  readonly needs: string[];
  readonly if?: string;
  readonly forEach?: string;
}

/** What a workflow does, in an order in which it can be done. */
export function planOf(definition: Definition): Planned[] {
  const all = definition.kind === 'workflow' ? stepsOf(definition) : nodesOf(definition);
  const ordered: Planned[] = [];
  const done = new Set<string>();
  while (ordered.length < all.length) {
    const next = all.filter(({ id, needs }) => !done.has(id) && needs.every((need) => done.has(need)));
    if (next.length === 0) break;
    ordered.push(...next);
    for (const { id } of next) done.add(id);
  }
  return ordered;
}

function stepsOf({ steps }: Extract<Definition, { readonly kind: 'workflow' }>): Planned[] {
  const ids = new Set(steps.map(({ id }) => id));
  return steps.map((step) => ({
    ...common(step),
    needs: needsOf(step, ids),
    ...(step.if === undefined ? {} : { if: String(step.if) }),
  }));
}

/** Of a graph, the edges that go forward. */
function nodesOf({ nodes, edges }: Extract<Definition, { readonly kind: 'graph' }>): Planned[] {
  const forward = edges.filter(({ atMost }) => atMost === undefined);
  return nodes.map((node) => ({
    ...common(node),
    needs: [...new Set(forward.filter(({ to }) => to === node.id).map(({ from }) => from))],
  }));
}

function common(work: { id: string; uses: string; title?: string | undefined; forEach?: unknown }) {
  const { id, uses, title, forEach } = work;
  return {
    id,
    uses,
    ...(title === undefined ? {} : { title }),
    ...(forEach === undefined
      ? {}
      : { forEach: typeof forEach === 'string' ? forEach : JSON.stringify(forEach) }),
  };
}
