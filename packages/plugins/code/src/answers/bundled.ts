import { answerRoom, type CallContext, jsonLength } from '@nexus/plugin-sdk';
import { beginningOf, fewerText, OWN_SENTENCES, shareOut, shrinkJson } from '@nexus/primitives';
import { type Done, sizeOf } from './done.ts';
import { shorterPage } from './shorter-page.ts';

/** What says that something is left out, twice; of a structure also what. */
const ROOM_TO_SAY_SO = 500;
const ROOM_TO_SAY_WHAT = 300;
/** Of a page, where it goes on. */
const ROOM_TO_SAY_AT = 200;

/** A result of fewer characters, text and structure, shows nothing of what it is of. */
const LEAST_SHARE = 1_000;
/** What says of the ops behind the last one that fits where they are. */
const ROOM_FOR_REST = 300;

/** What of a bundle has room: the first ops at least by their beginnings, and where those behind them are. */
export interface Bundled {
  readonly done: readonly Done[];
  readonly rest?: { readonly uri: string; readonly text: string };
}

/** As many ops from the front as have room for something of each; the results of the others are kept together. */
export async function bundled(done: readonly Done[], context: CallContext): Promise<Bundled> {
  const { results } = context.host;
  const [only, other] = done;
  // One alone is as large as its tool makes it; only a server's may be larger than any answer.
  if (only && !other && !only.inRoom && only.answer.whose === undefined) return { done };
  const room = answerRoom(results);
  const least = done.map((each, at) => Math.min(LEAST_SHARE, sizeOf(each, at)));
  if (least.reduce((sum, each) => sum + each, 0) <= room) return { done: await thatFit(done, context, room) };
  let left = room - ROOM_FOR_REST;
  const end = least.findIndex((each, at) => {
    left -= each;
    return left < 0 && at > 0;
  });
  const behind = done.slice(end);
  const whose = behind.flatMap(({ answer }) => answer.whose ?? []);
  const { uri } = await results.keep(
    {
      text: JSON.stringify(behind.map(({ text, answer }) => ({ ...answer, text }))),
      mimeType: 'application/json',
      ...(whose.length === 0 ? {} : { whose: [...new Set(whose)].join(', ') }),
    },
    context,
  );
  const text = OWN_SENTENCES.opsBehind(end + 1, done.length, done.length, uri);
  return { done: await thatFit(done.slice(0, end), context, room - ROOM_FOR_REST), rest: { uri, text } };
}

/**
 * All results in their order. One that is larger than its fair share of the room has there what that holds, whole lines
 * and whole JSON, and is kept whole.
 */
async function thatFit(
  done: readonly Done[],
  { host, session, user }: CallContext,
  room: number,
): Promise<Done[]> {
  const sizes = done.map(sizeOf);
  const shares = shareOut(sizes, room);
  const fitting = done.map(async (each, at) => {
    const share = shares[at] ?? 0;
    if ((sizes[at] ?? 0) <= share) return each;
    if (each.inRoom) return each.inRoom((share - ROOM_TO_SAY_AT) / 2);
    const page = shorterPage(each, at, share);
    if (sizeOf(page, at) <= share) return page;
    // Of one item that does not fit, the structure's `nextOffset` goes on; that it is one takes room from it.
    const { text, answer } = page;
    const one = { ...each, text, answer: { ...each.answer, result: answer.result } };
    const whole = { text, mimeType: 'text/plain', whose: answer.whose };
    const { uri } = await host.results.keep(whole, { session, user });
    return cut(one, { room: share, uri });
  });
  return Promise.all(fitting);
}

function cut(done: Done, { room, uri }: { readonly room: number; readonly uri: string }): Done {
  const { text, after = [] } = done;
  const { result, error, leftOut: before, ...rest } = done.answer;
  const structure = error === undefined && typeof result === 'object' && result !== null ? result : undefined;
  const said =
    ROOM_TO_SAY_SO + (structure ? ROOM_TO_SAY_WHAT : 0) + (before === undefined ? 0 : 2 * jsonLength(before));
  const left = Math.max(0, room - said);
  const begun = beginningOf(text, {
    uri,
    ...(structure ? { room: left / 2 } : { room: left, isSaidTwice: true }),
  });
  const shorter = structure && shrinkJson(structure, left / 2, uri);
  const fewer = fewerText(structure, shorter);
  const leftOut = [
    `${OWN_SENTENCES.besideOthers(Math.max(0, text.length - begun.text.length), text.length, uri)}${begun.lines === undefined ? '' : OWN_SENTENCES.fromHere(begun.lines)}; or call ${rest.tool} alone.`,
    ...(fewer === undefined ? [] : [OWN_SENTENCES.structureShape(fewer)]),
    ...(before === undefined ? [] : [before]),
  ].join(' ');
  const part = error
    ? { error: { code: error.code, message: begun.text } }
    : { result: shorter ?? begun.text };
  return { answer: { ...rest, ...part, leftOut }, text: begun.text, after: [...after, `[… ${leftOut}]`] };
}
