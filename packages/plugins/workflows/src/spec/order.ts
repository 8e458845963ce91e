import { circlesOf } from '@nexus/primitives';

/** Something that waits for others. */
export interface Waiting {
  readonly id: string;
  readonly dependsOn: readonly string[];
}

export interface Edge {
  readonly from: string;
  readonly to: string;
}

/** Rings of items that wait for each other; none where an order can be had. */
export function circlesIn(items: readonly Waiting[]): string[][] {
  return circlesOf(new Map(items.map(({ id, dependsOn }) => [id, new Set(dependsOn)])));
}

/**
 * Takes away the needs that close a circle, as few as going through the items in their order finds, and says
 * which: what came first then waits for nothing of what comes after it.
 */
export function withoutCircles<Item extends Waiting>(
  items: readonly Item[],
): { readonly items: Item[]; readonly broken: Edge[] } {
  const byId = new Map(items.map((item) => [item.id, item]));
  const broken: Edge[] = [];
  const done = new Set<string>();
  const open = new Set<string>();
  const visit = (item: Item) => {
    open.add(item.id);
    for (const id of item.dependsOn) {
      const needed = byId.get(id);
      if (open.has(id)) broken.push({ from: item.id, to: id });
      else if (needed && !done.has(id)) visit(needed);
    }
    open.delete(item.id);
    done.add(item.id);
  };
  for (const item of items) if (!done.has(item.id)) visit(item);
  const isBroken = (from: string, to: string) => broken.some((edge) => edge.from === from && edge.to === to);
  return {
    items: items.map((item) => ({
      ...item,
      dependsOn: item.dependsOn.filter((id) => !isBroken(item.id, id)),
    })),
    broken,
  };
}

/** What can be done side by side, step after step; of items without circles. */
export function levelsOf(items: readonly Waiting[]): string[][] {
  const levels: string[][] = [];
  let left = [...items];
  while (left.length > 0) {
    const ids = new Set(left.map(({ id }) => id));
    const ready = left.filter(({ dependsOn }) => !dependsOn.some((id) => ids.has(id)));
    if (ready.length === 0) throw new Error('a circle has no levels');
    levels.push(ready.map(({ id }) => id));
    const isReady = new Set(ready.map(({ id }) => id));
    left = left.filter(({ id }) => !isReady.has(id));
  }
  return levels;
}
