import { nearestNames, type RunGraph, ToolError } from '@nexus/plugin-sdk';

/** @throws {ToolError} NEXUS_INVALID_ARGUMENTS naming every need that is no node, or those that wait for each other */
export function assertGraph({ nodes }: RunGraph): void {
  const names = Object.keys(nodes);
  const faults = names.flatMap((name) =>
    (nodes[name]?.needs ?? [])
      .filter((need) => !Object.hasOwn(nodes, need))
      .map(
        (need) =>
          `"${name}" needs "${need}", which is no node (nearest: ${nearestNames(need, names).join(', ')})`,
      ),
  );
  const circle = faults.length > 0 ? [] : waitingForEachOther({ nodes });
  if (circle.length > 0) faults.push(`${circle.join(', ')} wait for each other; go back by \`again\``);
  if (faults.length > 0)
    throw new ToolError('NEXUS_INVALID_ARGUMENTS', `The graph is faulty: ${faults.join('; ')}.`);
}

function waitingForEachOther({ nodes }: RunGraph): string[] {
  const left = new Set(Object.keys(nodes));
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    for (const name of [...left]) {
      if ((nodes[name]?.needs ?? []).every((need) => !left.has(need))) left.delete(name);
    }
  }
  return [...left];
}
