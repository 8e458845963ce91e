import { jsonLength } from '@nexus/plugin-sdk';
import { asItLooks, attributionTo } from '@nexus/primitives';
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
  /** Where its list begins, of a tool that lists from an offset. */
  readonly offset?: number;
  /** The same with no more of the part that was asked for than so many characters hold, of text and of structure. */
  inRoom?(room: number): Promise<Done>;
}

/** Of text and structure. */
export function sizeOf(done: Done, at: number): number {
  return headed(done, at).length + jsonLength(done.answer);
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
