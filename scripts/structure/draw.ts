import type { Arrow } from './house.ts';
import type { Stack } from './stack.ts';

/** The stack as a Mermaid flowchart, the top floor first; an arrow that others make up is left out of the picture. */
export function draw({ floors, down, up }: Stack): string {
  const shown = down.filter((arrow) => !isMadeUp(arrow, down));
  const top = floors.map((rooms, floor) => [
    `  subgraph floor${floor + 1}[" "]`,
    ...rooms.map((room) => `    ${idOf(room)}["${room}"]`),
    '  end',
  ]);
  return [
    'flowchart TD',
    ...top.reverse().flat(),
    ...shown.map(({ from, to }) => `  ${idOf(from)} --> ${idOf(to)}`),
    ...up.map(({ from, to }) => `  ${idOf(from)} -. back up .-> ${idOf(to)}`),
  ].join('\n');
}

/** The same in a line. */
export function describe({ floors, down, up }: Stack): string {
  const rooms = floors.flat().length;
  return `${rooms} rooms on ${floors.length} floors, ${down.length + up.length} arrows, ${up.length} of them back up.`;
}

/** Whether the arrow’s end is reached from its beginning by others. */
function isMadeUp(arrow: Arrow, all: readonly Arrow[]): boolean {
  const seen = new Set<string>();
  const waiting = all.filter((each) => each !== arrow && each.from === arrow.from).map(({ to }) => to);
  for (let room = waiting.pop(); room !== undefined; room = waiting.pop()) {
    if (room === arrow.to) return true;
    if (seen.has(room)) continue;
    seen.add(room);
    for (const { from, to } of all) if (from === room) waiting.push(to);
  }
  return false;
}

function idOf(room: string): string {
  return room.replace(/[^a-z0-9]+/gi, '_');
}
