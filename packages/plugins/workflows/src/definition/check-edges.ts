import { circlesOf, leadsTo } from '@nexus/primitives';
import { hintOf } from '../nearest.ts';
import { type FileCheck, recordsOf } from './file-check.ts';
import type { Names } from './names.ts';

/** Edges lead between nodes that there are, and go round only as often as one of them says. */
export function checkEdges(
  check: FileCheck,
  { edges }: Readonly<Record<string, unknown>>,
  ids: ReadonlySet<string>,
  names: Names,
): void {
  const forward = new Map<string, Set<string>>([...ids].map((id) => [id, new Set()]));
  const back: { readonly from: string; readonly to: string; readonly index: number }[] = [];
  const lines = new Map<string, number>();
  for (const { each: edge, index } of recordsOf(edges)) {
    check.expression(edge.if, ['edges', index, 'if'], names);
    const { from, to } = edge;
    if (typeof from !== 'string' || typeof to !== 'string') continue;
    const unknown = (['from', 'to'] as const).filter((end) => !ids.has(String(edge[end])));
    for (const end of unknown) {
      const id = String(edge[end]);
      check.add(['edges', index, end], `there is no node "${id}"${hintOf(id, ids)}`);
    }
    if (unknown.length > 0) continue;
    if (edge.atMost === undefined) {
      forward.get(from)?.add(to);
      lines.set(`${from} ${to}`, index);
    } else back.push({ from, to, index });
  }
  for (const circle of circlesOf(forward)) {
    const last = circle.at(-1) ?? '';
    const [first = last] = circle;
    check.add(
      ['edges', lines.get(`${last} ${first}`) ?? 0],
      `${[...circle, first].join(' -> ')} goes round without end; say at the edge that goes back how often: atMost: 3`,
    );
  }
  for (const { from, to, index } of back) {
    if (from === to || leadsTo(to, from, forward)) continue;
    check.add(
      ['edges', index, 'atMost'],
      `is for an edge that goes back, and no way leads from "${to}" to "${from}"; leave it out`,
    );
  }
}
