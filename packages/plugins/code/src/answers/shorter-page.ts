import { OWN_SENTENCES } from '@nexus/primitives';
import { type Done, sizeOf } from './done.ts';

type Structure = Readonly<Record<string, unknown>>;

interface Listed {
  readonly structure: Structure;
  /** Of its first item, in all that there are. */
  readonly offset: number;
  /** How many items it has. */
  readonly count: number;
}

/**
 * A page of a list with as many whole items as have room, one at least, and with a `nextOffset` that goes on behind
 * these: its tool set one for all its items, or none at the end. The text is the structure's JSON, whatever it was, since its tool's words
 * say the old offset. What is no page stays as it is.
 * @param room of text and structure
 */
export function shorterPage(done: Done, at: number, room: number): Done {
  const listed = listedIn(done);
  if (!listed) return done;
  // As many as are known to fit, and as many as are known not to.
  let [least, most] = [1, listed.count];
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2);
    if (sizeOf(ofItems(done, listed, middle), at) <= room) least = middle;
    else most = middle;
  }
  return ofItems(done, listed, least);
}

function listedIn({ answer, offset: asked }: Done): Listed | undefined {
  const { result } = answer;
  if (typeof result !== 'object' || result === null || asked === undefined) return undefined;
  const structure: Structure = { ...result };
  // A last page goes to the end of all that there are.
  const end = structure.nextOffset ?? structure.total;
  if (typeof end !== 'number') return undefined;
  const counts = Object.values(structure).flatMap((each) => (Array.isArray(each) ? [each.length] : []));
  // By another name of the argument, say, it began elsewhere.
  const offset = [asked, end - Math.max(0, ...counts)].find((each) => counts.includes(end - each));
  return offset !== undefined && end - offset > 1 ? { structure, offset, count: end - offset } : undefined;
}

function ofItems(done: Done, { structure, offset, count }: Listed, items: number): Done {
  const { leftOut: before, ...answer } = done.answer;
  const shown = Object.entries(structure).map(([key, each]) => [
    key,
    Array.isArray(each) ? each.slice(0, items) : each,
  ]);
  const result = { ...Object.fromEntries(shown), nextOffset: offset + items };
  const said = OWN_SENTENCES.rowsBehind(items, count, offset + items, answer.tool);
  const leftOut = before === undefined ? said : `${said} ${before}`;
  const after = [...(done.after ?? []), `[… ${said}]`];
  return { ...done, answer: { ...answer, result, leftOut }, text: JSON.stringify(result), after };
}
