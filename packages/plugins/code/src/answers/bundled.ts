import { answerRoom, type CallContext, jsonLength } from '@nexus/plugin-sdk';
import { asItLooks, attributionTo, beginningOf, fewerText, shareOut, shrinkJson } from '@nexus/primitives';
import { z } from 'zod';

/** As `_meta["nexus/error"]` has it: category, whether a retry helps and detail besides. */
export const OpError = z.looseObject({ code: z.string(), message: z.string() });

export const OpAnswer = z.object({
  tool: z.string(),
  result: z
    .unknown()
    .optional()
    .describe('The structure, or else the text; of too large a one the same with less in it.'),
  leftOut: z.string().optional().describe('What is left out, and why.'),
  whose: z.string().optional().describe('The server in whose words it is, where these sound like Nexus.'),
  error: OpError.optional(),
  normalized: z.unknown().optional(),
});

/** What came of one op of a bundle. */
export interface Done {
  readonly answer: z.input<typeof OpAnswer>;
  /** What the tool said, as a model reads it; what the bundle says of it stands before and after. */
  readonly text: string;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
  /** The same with no more of the part that was asked for than so many characters hold, of text and of structure. */
  inRoom?(room: number): Promise<Done>;
}

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
  const least = done.map((each, at) =>
    Math.min(LEAST_SHARE, headed(each, at).length + jsonLength(each.answer)),
  );
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
  const text = `Ops ${end + 1} to ${done.length} of ${done.length} ran, and have no room here: read_result reads their results as ${uri}, the first of them by pick "[0]".`;
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
  const sizes = done.map((each, at) => headed(each, at).length + jsonLength(each.answer));
  const shares = shareOut(sizes, room);
  const fitting = done.map(async (each, at) => {
    const share = shares[at] ?? 0;
    if ((sizes[at] ?? 0) <= share) return each;
    if (each.inRoom) return each.inRoom((share - ROOM_TO_SAY_AT) / 2);
    const { text, answer } = each;
    const whole = { text, mimeType: 'text/plain', whose: answer.whose };
    const { uri } = await host.results.keep(whole, { session, user });
    return cut(each, { room: share, uri });
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
    `${Math.max(0, text.length - begun.text.length)} of its ${text.length} characters do not fit beside the others: read_result reads all of it as ${uri}${begun.lines === undefined ? '' : `, from here by offset ${begun.lines}`}; or call ${rest.tool} alone.`,
    ...(fewer === undefined ? [] : [`Its structure has here ${fewer}.`]),
    ...(before === undefined ? [] : [before]),
  ].join(' ');
  const part = error
    ? { error: { code: error.code, message: begun.text } }
    : { result: shorter ?? begun.text };
  return { answer: { ...rest, ...part, leftOut }, text: begun.text, after: [...after, `[… ${leftOut}]`] };
}

/** An op's result under its heading, after whose words it is in. What could be taken for such a heading is fenced. */
export function headed({ answer, before = [], text, after = [] }: Done, at: number): string {
  const { tool, whose } = answer;
  const line = whose === undefined || text === '' ? [] : [attributionTo(whose)];
  const said = LIKE_A_HEADING.test(asItLooks(text)) ? fenced(text) : text;
  return [
    `## ${at + 1}. ${tool}`,
    ...before,
    ...line,
    ...(text === '' && before.length > 0 ? [] : [said]),
    ...after,
  ].join('\n');
}

/** As this bundle's own look, or might to whoever reads no spaces. */
const LIKE_A_HEADING = /^[ \t>*_-]{0,8}#{1,6}[ \t]{0,4}\d/m;

function fenced(text: string): string {
  const runs = text.match(/`{3,}/g) ?? [];
  const mark = '`'.repeat(runs.reduce((most, { length }) => Math.max(most, length + 1), 3));
  return `${mark}\n${text}\n${mark}`;
}
