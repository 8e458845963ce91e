/** By what each waits for. */
export type Arrows = ReadonlyMap<string, ReadonlySet<string>>;

/** Rings of names that wait for each other; each name is in one of them at most. */
export function circlesOf(arrows: Arrows): string[][] {
  const left = new Set(arrows.keys());
  const circles: string[][] = [];
  for (;;) {
    prune(left, arrows);
    const [start] = left;
    if (start === undefined) return circles;
    const circle = ringFrom(start, left, arrows);
    circles.push(circle);
    for (const name of circle) left.delete(name);
  }
}

/** Takes out what waits for nothing that is left. */
function prune(left: Set<string>, arrows: Arrows): void {
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    for (const name of left) {
      if (![...(arrows.get(name) ?? [])].some((each) => left.has(each))) left.delete(name);
    }
  }
}

/** All that is left waits for something left, so that a walk comes back to where it was. */
function ringFrom(start: string, left: ReadonlySet<string>, arrows: Arrows): string[] {
  const way = [start];
  for (;;) {
    const next = [...(arrows.get(way.at(-1) ?? '') ?? [])].find((each) => left.has(each)) ?? start;
    const known = way.indexOf(next);
    if (known !== -1) return way.slice(known);
    way.push(next);
  }
}

/** Whether arrows lead from one to the other, over at least one of them. */
export function leadsTo(from: string, to: string, arrows: Arrows): boolean {
  const seen = new Set<string>();
  const open = [from];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    for (const next of arrows.get(name) ?? []) {
      if (next === to) return true;
      if (!seen.has(next)) open.push(next);
      seen.add(next);
    }
  }
  return false;
}
