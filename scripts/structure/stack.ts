import type { Arrow, House } from './house.ts';

/** A house with its rooms on floors. */
export interface Stack {
  /** The ground first. */
  readonly floors: readonly (readonly string[])[];
  readonly down: readonly Arrow[];
  /** Arrows to the same floor, or to one above. */
  readonly up: readonly Arrow[];
}

/**
 * Each room above all that it imports from. Where rooms import each other in a circle, the arrow of the fewest
 * imports runs back up.
 */
export function stack({ rooms, arrows }: House): Stack {
  const up: Arrow[] = [];
  let down = [...arrows];
  for (let circle = findCircle(rooms, down); circle; circle = findCircle(rooms, down)) {
    const weakest = circle.reduce((least, arrow) => (arrow.imports < least.imports ? arrow : least));
    up.push(weakest);
    down = down.filter((arrow) => arrow !== weakest);
  }
  const floorOf = new Map<string, number>();
  const place = (room: string): number => {
    const known = floorOf.get(room);
    if (known !== undefined) return known;
    const below = down.filter(({ from }) => from === room).map(({ to }) => place(to));
    const floor = below.length === 0 ? 0 : Math.max(...below) + 1;
    floorOf.set(room, floor);
    return floor;
  };
  const floors: string[][] = [];
  for (const room of rooms) {
    const floor = place(room);
    while (floors.length <= floor) floors.push([]);
    floors[floor]?.push(room);
  }
  return { floors, down, up };
}

/** The arrows that lead from some room back to itself. */
function findCircle(rooms: readonly string[], arrows: readonly Arrow[]): readonly Arrow[] | undefined {
  const done = new Set<string>();
  const walk = (room: string, way: readonly Arrow[]): readonly Arrow[] | undefined => {
    const at = way.findIndex(({ from }) => from === room);
    if (at >= 0) return way.slice(at);
    if (done.has(room)) return undefined;
    for (const arrow of arrows) {
      if (arrow.from !== room) continue;
      const circle = walk(arrow.to, [...way, arrow]);
      if (circle) return circle;
    }
    done.add(room);
    return undefined;
  };
  for (const room of rooms) {
    const circle = walk(room, []);
    if (circle) return circle;
  }
  return undefined;
}
