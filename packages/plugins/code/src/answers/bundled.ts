import { answerRoom, type CallContext, jsonLength } from '@nexus/plugin-sdk';
import { beginningOf, fewerText, shareOut, shrinkJson } from '@nexus/primitives';
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
  error: OpError.optional(),
  normalized: z.unknown().optional(),
});

/** What came of one op of a bundle. */
export interface Done {
  readonly answer: z.input<typeof OpAnswer>;
  /** As a model reads it. */
  readonly text: string;
  /** The same with no more of the part that was asked for than so many characters hold, of text and of structure. */
  inRoom?(room: number): Promise<Done>;
}

/** What says that something is left out, twice. */
const ROOM_TO_SAY_SO = 800;

/**
 * All results in their order, each under its heading. One that is larger than its fair share of the room has there what
 * that holds, whole lines and whole JSON, and is kept whole.
 */
export async function thatFit(done: readonly Done[], { host, session, user }: CallContext): Promise<Done[]> {
  const sizes = done.map(({ answer, text }) => text.length + jsonLength(answer));
  const shares = shareOut(sizes, answerRoom(host.results));
  const fitting = done.map(async (each, at) => {
    const { tool } = each.answer;
    if (each.inRoom && (sizes[at] ?? 0) > (shares[at] ?? 0)) {
      const part = await each.inRoom(((shares[at] ?? 0) - ROOM_TO_SAY_SO / 4) / 2);
      return { ...part, text: headed(at, tool, part.text) };
    }
    // One alone is as large as its tool makes it.
    if (done.length === 1 || (sizes[at] ?? 0) <= (shares[at] ?? 0)) {
      return { ...each, text: headed(at, tool, each.text) };
    }
    const { uri } = await host.results.keep(each.text, 'text/plain', { session, user });
    const { answer, text } = cut(each, { room: shares[at] ?? 0, uri });
    return { answer, text: headed(at, tool, `${text}\n[… ${answer.leftOut}]`) };
  });
  return Promise.all(fitting);
}

function cut({ answer, text }: Done, { room, uri }: { readonly room: number; readonly uri: string }): Done {
  const { result, error, leftOut: before, ...rest } = answer;
  const left = Math.max(0, room - ROOM_TO_SAY_SO - (before === undefined ? 0 : 2 * jsonLength(before)));
  const structure = error === undefined && typeof result === 'object' && result !== null ? result : undefined;
  const begun = beginningOf(text, {
    uri,
    ...(structure ? { room: left / 2 } : { room: left, isSaidTwice: true }),
  });
  const shorter = structure && shrinkJson(structure, left / 2, uri);
  const fewer = fewerText(structure, shorter);
  const leftOut = [
    `${Math.max(0, text.length - begun.text.length)} of its ${text.length} characters do not fit beside the others: read_result reads all of it as ${uri}${begun.lines === undefined ? '' : `, from here by offset ${begun.lines}`}; or call ${answer.tool} alone.`,
    ...(fewer === undefined ? [] : [`Its structure has here ${fewer}.`]),
    ...(before === undefined ? [] : [before]),
  ].join(' ');
  const part = error
    ? { error: { code: error.code, message: begun.text } }
    : { result: shorter ?? begun.text };
  return { answer: { ...rest, ...part, leftOut }, text: begun.text };
}

function headed(at: number, tool: string, text: string): string {
  return `## ${at + 1}. ${tool}\n${text}`;
}
