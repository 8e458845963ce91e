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

/** What says that something is left out, twice. */
const ROOM_TO_SAY_SO = 800;

/**
 * All results in their order. One that is larger than its fair share of the room has there what that holds, whole lines
 * and whole JSON, and is kept whole.
 */
export async function thatFit(done: readonly Done[], { host, session, user }: CallContext): Promise<Done[]> {
  const sizes = done.map((each, at) => headed(each, at).length + jsonLength(each.answer));
  const shares = shareOut(sizes, answerRoom(host.results));
  const fitting = done.map(async (each, at) => {
    const share = shares[at] ?? 0;
    if ((sizes[at] ?? 0) <= share) return each;
    if (each.inRoom) return each.inRoom((share - ROOM_TO_SAY_SO / 4) / 2);
    const { text, answer } = each;
    // One alone is as large as its tool makes it; only a server's may be larger than any answer.
    if (done.length === 1 && answer.whose === undefined) return each;
    const whole = { text, mimeType: 'text/plain', whose: answer.whose };
    const { uri } = await host.results.keep(whole, { session, user });
    return cut(each, { room: share, uri });
  });
  return Promise.all(fitting);
}

function cut(done: Done, { room, uri }: { readonly room: number; readonly uri: string }): Done {
  const { text, after = [] } = done;
  const { result, error, leftOut: before, ...rest } = done.answer;
  const left = Math.max(0, room - ROOM_TO_SAY_SO - (before === undefined ? 0 : 2 * jsonLength(before)));
  const structure = error === undefined && typeof result === 'object' && result !== null ? result : undefined;
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
