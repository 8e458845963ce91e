import { isRecord } from '../expressions/values.ts';
import type { Place } from './fault.ts';
import { recordsOf } from './file-check.ts';
import type { Source } from './source.ts';

/** Who does a step or node, and with what, as a file has it: for what only a server can say of it. */
export interface PlacedWork {
  /** Such as `steps.0`. */
  readonly path: string;
  readonly uses: string;
  readonly with: Readonly<Record<string, unknown>>;
  readonly usesAt: Place;
  /** By argument. */
  readonly withAt: Readonly<Record<string, Place>>;
}

export function placedWork(source: Source): PlacedWork[] {
  if (!isRecord(source.value)) return [];
  const list = source.value.nodes === undefined ? 'steps' : 'nodes';
  return recordsOf(source.value[list]).flatMap(({ each, index }) => {
    const { uses, with: given } = each;
    if (typeof uses !== 'string') return [];
    const members = isRecord(given) ? given : {};
    return [
      {
        path: `${list}.${index}`,
        uses,
        with: members,
        usesAt: source.placeOf([list, index, 'uses']),
        withAt: Object.fromEntries(
          Object.keys(members).map((key) => [key, source.placeOf([list, index, 'with', key])]),
        ),
      },
    ];
  });
}
