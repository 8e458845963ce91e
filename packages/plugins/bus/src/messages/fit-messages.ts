import { startOf } from '../start-of.ts';
import { type MessageRow, toMessageView } from './message-view.ts';

/** Characters of JSON. An answer holds them twice, as text and as structure, and stays below what a host's model gets. */
const ROOM = 20_000;

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
 */
export function fitMessages<Row extends MessageRow>(
  pending: readonly Pending<Row>[],
  extra: (row: Row) => object = () => ({}),
): ShownMessage<Row>[] {
  const shown: ShownMessage<Row>[] = [];
  let left = ROOM;
  for (const { row, from } of pending) {
    const view = { ...toMessageView(row), ...extra(row) };
    const beside = JSON.stringify({ ...view, body: '', part: { from, to: from, of: from } }).length;
    const rest = row.body.slice(from);
    const isFirst = shown.length === 0;
    const fits = beside + JSON.stringify(rest).length <= left;
    if (!fits && !isFirst) break;
    const body = fits ? rest : startOf(rest, Math.max(ROOM - beside, 1_000));
    const to = from + body.length;
    const isWhole = to === row.body.length;
    const part = from === 0 && isWhole ? {} : { part: { from, to, of: row.body.length } };
    shown.push({ row, to, isWhole, view: { ...view, body, ...part } });
    left -= beside + JSON.stringify(body).length;
    if (!isWhole) break;
  }
  return shown;
}
