import { OWN_SENTENCES, visibleJson } from '@nexus/primitives';
import { saidConfidence } from './confidence.ts';
import { OTHER_SESSION } from './score.ts';

export interface Hit {
  readonly backend: string;
  readonly key: string;
  readonly value: string;
  readonly parts: Readonly<Record<string, number>>;
  readonly ageHours: number;
  readonly version: number;
  readonly [more: string]: unknown;
}

interface Hits {
  readonly results: readonly Hit[];
  readonly count: number;
  readonly total: number;
  readonly nextOffset?: number | undefined;
  readonly linkedLeftOut?: number | undefined;
  readonly totalIsLowerBound?: boolean | undefined;
  readonly frequentWords?: readonly string[] | undefined;
  readonly unusedWords?: readonly string[] | undefined;
}

const SHOWN_CHARACTERS = 80;
const DAY_HOURS = 24;

const LINE_END = /\r\n|[\n\r\u0085\u2028\u2029]/g;

/** Hits as a model reads them: the texts, and of the rest what says how far to trust them. */
export function hitsText({
  results,
  count,
  total,
  nextOffset,
  linkedLeftOut = 0,
  totalIsLowerBound,
  frequentWords = [],
  unusedWords = [],
}: Hits): string {
  const least = totalIsLowerBound ? 'at least ' : '';
  const rest = nextOffset === undefined ? '' : OWN_SENTENCES.offsetGivesNext(nextOffset);
  return [
    ...(total === 0 ? ['Nothing.'] : []),
    ...(count < total ? [`${count} of ${least}${total}${rest}.`] : []),
    ...(frequentWords.length === 0 ? [] : [OWN_SENTENCES.frequentWords(frequentWords.join(', '))]),
    ...(unusedWords.length === 0 ? [] : [OWN_SENTENCES.unusedWords(unusedWords.join(', '))]),
    ...results.map(hitText),
    ...(linkedLeftOut === 0 ? [] : [OWN_SENTENCES.linkedLeftOut(linkedLeftOut)]),
  ].join('\n');
}

/** A hit as a model reads it. */
export function hitText({ backend, key, value, parts, ageHours, version, ...more }: Hit): string {
  const { confidence = 1, otherSession } = parts;
  const { metadata, history, via, whole, valueChars } = more;
  const labels = metadata === undefined ? [] : [visibleJson(metadata)];
  const about = [
    backend,
    ageOf(ageHours),
    ...(confidence === 1 ? [] : [`confidence ${saidConfidence(confidence)}`]),
    ...(otherSession === OTHER_SESSION ? ['another session’s'] : []),
    ...(typeof via === 'string' ? [`linked from ${named(via)}`] : []),
    ...(version === 1 ? [] : [`version ${version}${before(history)}`]),
    ...labels,
  ];
  // A line that an entry brings along begins with a space, and is none of another entry.
  const said = `${named(key)} (${about.join(', ')}): ${value.replace(LINE_END, '\n  ')}`;
  if (whole === undefined) return said;
  return `${said}\n  ${OWN_SENTENCES.shownBeginning(String(valueChars), String(whole))}`;
}

function ageOf(hours: number): string {
  if (hours < 1) return 'now';
  return hours < DAY_HOURS ? `${Math.floor(hours)} h` : `${Math.floor(hours / DAY_HOURS)} d`;
}

/** What it was before, where that is short; the structure has more. */
function before(history: unknown): string {
  const [last] = Array.isArray(history) ? (history as readonly { readonly value: string }[]) : [];
  return last === undefined || last.value.length > SHOWN_CHARACTERS ? '' : `, before: ${named(last.value)}`;
}

/** Bare, or as JSON where it could be taken for what stands around it. */
function named(text: string): string {
  const json = visibleJson(text);
  return json === `"${text}"` && /^[^\s():,]+(?: [^\s():,]+)*$/.test(text) ? text : json;
}
