import { jsonLength } from '@nexus/plugin-sdk';
import { firstCharacters } from '@nexus/primitives';
import { fewerTold } from '../fewer-told.ts';
import { type MessageRow, toMessageView } from './message-view.ts';

/** Of a body that is told in parts: for so much of it, what else there is to tell of the message makes room. */
const LEAST_CHARACTERS = 60;

/** The same of each part behind the first, of the room: what that said need not be said again. */
const FURTHER_SHARE = 0.6;

/** What is left out first where a body has no room beside it, and is named then. */
const LEFT_OUT_FIRST = [
  'recipients',
  'sentAt',
  'to',
  'state',
  'importance',
  'ackRequired',
  'threadId',
  'from',
];

/** A message with the characters of its body that come before what is shown. */
export interface Pending<Row extends MessageRow = MessageRow> {
  readonly row: Row;
  readonly from: number;
}

/** What is told of a message, beside its body; of one that a host shows in many parts, not all of it. */
type MessageView = Partial<ReturnType<typeof toMessageView>> & {
  readonly messageId: string;
  readonly leftOut?: string;
};

export interface ShownMessage<Row extends MessageRow = MessageRow> {
  readonly row: Row;
  /** The end of the body that is shown. */
  readonly to: number;
  readonly isWhole: boolean;
  readonly view: MessageView & { readonly body: string; readonly part?: Part };
}

interface Part {
  readonly from: number;
  readonly to: number;
  readonly of: number;
}

/**
 * The first messages that fit into one answer, each whole. One that no answer could hold comes in parts, each of
 * which says which it is. None where there is room for no part, so that nothing is shown that would be cut.
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
    const of = row.body.length;
    const view = { ...toMessageView(row), ...extra(row) };
    const rest = row.body.slice(from);
    const whole = { ...view, body: rest, ...(from === 0 ? {} : { part: { from, to: of, of } }) };
    left -= jsonLength(whole) + 1;
    if (left >= 0) {
      shown.push({ row, to: of, isWhole: true, view: whole });
      continue;
    }
    const part = shown.length === 0 ? partOf(view, { rest, from, of, room }) : undefined;
    if (part) shown.push({ row, ...part });
    break;
  }
  return shown;
}

function partOf(
  view: MessageView,
  {
    rest,
    from,
    of,
    room,
  }: { readonly rest: string; readonly from: number; readonly of: number; readonly room: number },
): Omit<ShownMessage, 'row'> | undefined {
  const beside = { body: '', part: { from, to: of, of } };
  const { messageId } = view;
  const fewer = [...fewerTold(view, LEFT_OUT_FIRST)].map((each) => ({ ...each, messageId }));
  const ways: readonly MessageView[] = [view, ...fewer];
  const leaving = (characters: number) =>
    ways.find((each) => jsonLength({ ...each, ...beside }) <= room - characters);
  const first = leaving(from > 0 ? FURTHER_SHARE * room : LEAST_CHARACTERS);
  const told = first ?? (from > 0 ? leastOf(messageId) : undefined);
  if (!told || jsonLength({ ...told, ...beside }) >= room) return undefined;
  const body = firstCharacters(rest, room - jsonLength({ ...told, ...beside }) + 2, jsonLength);
  const to = from + body.length;
  const isWhole = to === of;
  const part = from === 0 && isWhole ? {} : { part: { from, to, of } };
  return { to, isWhole, view: { ...told, body, ...part } };
}

function leastOf(messageId: string): MessageView {
  return { messageId, leftOut: 'all that its first part says' };
}
