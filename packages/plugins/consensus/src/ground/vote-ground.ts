import {
  type FileLines,
  fence,
  type Host,
  hasSeen,
  linesShownBy,
  lookUpNames,
  type NamesLookedUp,
  namesIn,
  type RunContext,
  readNamedFile,
  type ToolCaller,
} from '@nexus/plugin-sdk';
import { cutEndCounted } from '@nexus/primitives';
import { type Declared, declaredIn, wholePlace } from './whole-place.ts';

/** What a panel votes on. */
export interface Matter {
  readonly proposal: string;
  readonly options?: readonly string[] | undefined;
  /** As the caller gave it: a diff, what a check came to. */
  readonly ground?: string | undefined;
}

/** What voters see of a matter beside the proposal; plain JSON. */
export interface VoteGround {
  /** For a prompt, fenced; empty where there is nothing. */
  readonly text: string;
  /** Files, and places in them as `path:line`, whose text is shown. */
  readonly references: readonly string[];
  /** The lines of these that are shown; absent of a vote that was begun before they were kept. */
  readonly lines?: readonly FileLines[];
  /** What the matter names and what is not there. */
  readonly missing: readonly string[];
  /** Whether it is about code: then voters may read the project themselves. */
  readonly isOfCode: boolean;
}

/** One place, and all of them together; what is left out is named, to be opened. */
const MAX_PLACE_CHARS = 6_000;
const MAX_PLACES_CHARS = 24_000;
/** Of a file that is named without a line. */
const MAX_HEAD_LINES = 150;

/** The words of a matter, in which names and signs of a stake are looked for. */
export function wordsOf({ proposal, options = [] }: Matter): string {
  return [proposal, ...options].join('\n');
}

/** Looks up what a matter names, and reads what stands there, as durable steps. */
export async function groundOf(run: RunContext, matter: Matter): Promise<VoteGround> {
  const words = wordsOf(matter);
  const { ground } = matter;
  const given = ground === undefined ? [] : [fence('what is to be judged by', ground)];
  if (namesIn(words).length === 0) {
    return { text: given.join(''), references: [], missing: [], isOfCode: ground !== undefined };
  }
  const named = await lookUpNames(run, 'names', words);
  const isNamed = namesIn(words).some(({ isBare }) => !isBare) || named.files.length > 0;
  const shown = await run.step('ground', ({ tools }) => placesOf(named, { host: run.host, tools, words }), {
    title: 'reads what it names',
  });
  return {
    text: [
      ...given,
      ...shown.flatMap(({ reference, text }) =>
        text === '' ? [] : [fence(`the project’s ${reference}`, text)],
      ),
      ...(named.missing.length === 0
        ? []
        : [fence('a look-up: named, and not in the project', named.missing.join('\n'))]),
    ].join('\n\n'),
    references: shown.map(({ reference }) => reference),
    lines: shown.flatMap(({ text }) => linesShownBy(text)),
    missing: named.missing,
    isOfCode: isNamed || ground !== undefined,
  };
}

interface Shown {
  readonly reference: string;
  /** Empty where another one's text has these lines, as of two places in one function. */
  readonly text: string;
}

async function placesOf(
  { places, files }: NamesLookedUp,
  given: { readonly host: Host; readonly tools: ToolCaller; readonly words: string },
): Promise<Shown[]> {
  const shown: Shown[] = [];
  let left = MAX_PLACES_CHARS;
  const show = (reference: string, text: string | undefined) => {
    if (text === undefined) return;
    const cut =
      text.length > MAX_PLACE_CHARS
        ? `${cutEndCounted(text, MAX_PLACE_CHARS)}\n(cut here: open the rest)`
        : text;
    const isRoom = cut.length <= left;
    left -= isRoom ? cut.length : 0;
    shown.push({ reference, text: isRoom ? cut : '(left out for its length: open it)' });
  };
  for (const { file, from, to } of places) {
    const isShown = hasSeen(
      shown.flatMap(({ text }) => linesShownBy(text)),
      { file, from, to },
    );
    if (isShown) {
      shown.push({ reference: `${file}:${from}`, text: '' });
      continue;
    }
    const whole = await wholePlace({ file, line: from, endLine: to }, given);
    show(`${file}:${from}`, whole);
  }
  const withPlaces = new Set(places.map(({ file }) => file));
  for (const file of files.filter((each) => !withPlaces.has(each))) {
    const meant = namedIn(given.words, await declaredIn(file, given.tools));
    const isShortEnough = meant.every(({ endLine }) => endLine <= MAX_HEAD_LINES);
    if (meant.length === 0 || isShortEnough) {
      show(file, await readNamedFile({ path: file, lines: `1-${MAX_HEAD_LINES}` }, given));
      continue;
    }
    for (const { line, endLine } of meant) {
      show(`${file}:${line}`, await wholePlace({ file, line, endLine }, given));
    }
  }
  return shown;
}

/** Declarations of one file that are shown because the words name them. */
const MAX_NAMED = 4;
/** Shorter names are ordinary words, unless they stand as code. */
const MIN_NAME_CHARS = 4;

/** Those that words name, as code or bare; what stands in another of them is shown with it. */
function namedIn(words: string, declared: readonly Declared[]): readonly Declared[] {
  const said = new Set(words.match(/[\p{L}\p{N}_$]+/gu));
  const isNamed = ({ name }: Declared) =>
    said.has(name) &&
    (name.length >= MIN_NAME_CHARS || words.includes(`\`${name}`) || words.includes(`${name}(`));
  const named = declared.filter(isNamed);
  const isWithin = (inner: Declared, outer: Declared) =>
    inner !== outer && inner.line >= outer.line && inner.endLine <= outer.endLine;
  return named.filter((each) => !named.some((other) => isWithin(each, other))).slice(0, MAX_NAMED);
}
