import {
  collapsed,
  FENCE,
  MAX_SAID_LINE_CHARS,
  placesSaidIn,
  type SaidPlace,
} from '@nexus/plugin-sdk/evidence';

/** What an answer says for something, and against it. */
export interface Claims {
  readonly shown: readonly SaidPlace[];
  readonly against: readonly SaidPlace[];
  /** What was not taken of it, each as a sentence. */
  readonly leftOut: readonly string[];
}

const MAX_CLAIMS = 50;

/** How an expert is to say what its answer rests on. */
export const EVIDENCE_FORM = [
  'Begin your answer with the words "Met." or "Not met.".',
  'End your answer with a section headed "## Evidence": one line for each place that shows that the requirement is met, as',
  '- path/from/the/project:LINE: the exact text of that line',
  'and a section headed "## Against": in the same form, each place that speaks against it. Look for both.',
  'Each is looked up: one that does not stand there counts for nothing. Without any such place, write the heading and "none".',
].join('\n');

const VERDICT_CHARS = 200;

/** Whether an answer says so itself where it is to begin with its verdict, however that is marked. */
export function saysNotMet(output: string): boolean {
  return /^[\s#>*_`"“-]{0,20}(?:(?:verdict|status|result)[:*_\s]{1,6})?(?:it is |the requirement is )?not[ _]met\b/i.test(
    output.slice(0, VERDICT_CHARS),
  );
}

/** The claims that an answer ends with. */
export function claimsIn(output: string): Claims {
  const shown = claimsUnder('evidence', output);
  const against = claimsUnder('against', output);
  return {
    shown: shown.claims,
    against: against.claims,
    leftOut: [...shown.leftOut, ...against.leftOut],
  };
}

/** As its heading begins; of models that call it otherwise, the one word that they do. */
const HEADINGS = {
  evidence: /^evidence|^for:?$/,
  against: /^against/,
} as const satisfies Record<string, RegExp>;

/** Places outside of the section that is asked for are not taken, and are not passed over in silence. */
function withoutSection(name: keyof typeof HEADINGS, lines: readonly string[]): ClaimsOfSection {
  const places = name === 'evidence' ? [...placesSaidIn(lines)].length : 0;
  const what = places === 1 ? '1 line that names a place was' : `${places} lines that name places were`;
  return {
    claims: [],
    leftOut: places === 0 ? [] : [`The answer has no section "Evidence", so ${what} not looked up.`],
  };
}

/** An answer up to the evidence that it ends with; all of it where something else follows. */
export function beforeEvidence(output: string): string {
  const lines = output.split('\n');
  const isOfEvidence = (line: string) =>
    Object.values(HEADINGS).some((heading) => heading.test(headingOf(line) ?? ''));
  const start = lines.findIndex(isOfEvidence);
  if (start === -1) return output;
  let rest = lines.slice(start);
  while (rest[0] !== undefined && isOfEvidence(rest[0]))
    rest = rest.slice(1 + sectionOf(rest.slice(1)).length);
  return rest.length === 0 ? lines.slice(0, start).join('\n').trimEnd() : output;
}

interface ClaimsOfSection {
  readonly claims: readonly SaidPlace[];
  readonly leftOut: readonly string[];
}

function claimsUnder(name: keyof typeof HEADINGS, output: string): ClaimsOfSection {
  const lines = output.split('\n');
  const start = lines.findLastIndex((line) => HEADINGS[name].test(headingOf(line) ?? ''));
  if (start === -1) return withoutSection(name, lines);
  const section = sectionOf(lines.slice(start + 1));
  const claims = [...placesSaidIn(section)];
  const long = section.filter((line) => line.length > MAX_SAID_LINE_CHARS).length;
  return {
    claims: claims.slice(0, MAX_CLAIMS),
    leftOut: [
      ...(claims.length > MAX_CLAIMS
        ? [`Of ${claims.length} places under "${name}", the first ${MAX_CLAIMS} were looked up.`]
        : []),
      ...(long > 0
        ? [
            `Lines of more than ${MAX_SAID_LINE_CHARS} characters under "${name}" name no place: ${long} of them.`,
          ]
        : []),
    ],
  };
}

/** The words of a line that is a heading, by marks or by standing alone in bold or before a colon. */
function headingOf(line: string): string | undefined {
  if (line.length > 120) return undefined;
  const text = collapsed(line);
  const [, words] =
    /^#{1,6} [*_]{0,3}([a-z].*)$/i.exec(text) ??
    /^(?:\*\*|__)([a-z][a-z ]*)(?::?\*\*:?|:?__:?)$/i.exec(text) ??
    /^([a-z]+):$/i.exec(text) ??
    [];
  return words?.toLowerCase();
}

/** Up to the next heading; what a fence holds is none. */
function sectionOf(lines: readonly string[]): string[] {
  let fence = '';
  const end = lines.findIndex((line) => {
    const mark = FENCE.exec(line.trim())?.[0];
    if (mark !== undefined) fence = fence === '' ? mark : mark.startsWith(fence) ? '' : fence;
    return fence === '' && mark === undefined && headingOf(line) !== undefined;
  });
  return end === -1 ? [...lines] : lines.slice(0, end);
}
