import { jsonLength } from '@nexus/plugin-sdk';
import { firstCharacters } from '@nexus/primitives';
import { type MessageRow, toMessageView } from './message-view.ts';

/** Of a body that is told in parts, where what stands beside it leaves less. */
const LEAST_CHARACTERS = 100;

/** A message with the characters of its body that come before what is shown. */
export interface Pending<Row extends MessageRow = MessageRow> {
  readonly row: Row;
  readonly from: number;
}

type MessageView = ReturnType<typeof toMessageView>;

export interface ShownMessage<Row extends MessageRow = MessageRow> {
  readonly row: Row;
  /** The end of the body that is shown. */
  readonly to: number;
  readonly isWhole: boolean;
  readonly view: MessageView & { readonly part?: { from: number; to: number; of: number } };
}

/**
 * The first messages that fit into one answer, each whole. One that no answer could hold comes in parts, each of
 * which says which it is.
 * @param room characters of JSON
 */
export function fitMessages<Row extends MessageRow>(
  pending: readonly Pending<Row>[],
  room: number,
  extra: (row: Row) => object = () => ({}),
): ShownMessage<Row>[] {
  const shown: ShownMessage<Row>[] = [];
  let left = room;
  for (const { row, from } of pending) {
    const view = { ...toMessageView(row), ...extra(row) };
    const beside = JSON.stringify({ ...view, body: '', part: { from, to: from, of: from } }).length;
    const rest = row.body.slice(from);
    const isFirst = shown.length === 0;
    const fits = beside + JSON.stringify(rest).length <= left;
    if (!fits && !isFirst) break;
    const body = fits ? rest : firstCharacters(rest, Math.max(room - beside, LEAST_CHARACTERS), jsonLength);
    const to = from + body.length;
    const isWhole = to === row.body.length;
    const part = from === 0 && isWhole ? {} : { part: { from, to, of: row.body.length } };
    shown.push({ row, to, isWhole, view: { ...view, body, ...part } });
    left -= beside + JSON.stringify(body).length;
    if (!isWhole) break;
  }
  return shown;
}
