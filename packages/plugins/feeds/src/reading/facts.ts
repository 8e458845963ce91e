import { cutEnd } from '@nexus/primitives';
import type { Entry, Publication } from './entry.ts';

/** What a publication comes to. Dates are in UTC. */
export interface Facts {
  readonly format: Publication['format'];
  readonly title: string;
  readonly isWhole: boolean;
  readonly entries: number;
  /** Of entries that are not dated in the future. */
  readonly first: string | undefined;
  readonly last: string | undefined;
  /** Between one of those dates and the next, the median. */
  readonly medianDays: number | undefined;
  readonly withoutId: number;
  readonly withoutDate: number;
  readonly withoutLink: number;
  /** Dates that are there and are none. */
  readonly unreadableDates: number;
  readonly inFuture: number;
  readonly doubledIds: readonly string[];
  /** Whose title speaks of security, such as by a CVE. */
  readonly onSecurity: number;
  /** Newest first. */
  readonly latest: readonly { readonly title: string; readonly url?: string; readonly date?: string }[];
}

const DAY_MS = 86_400_000;
const LATEST = 5;
const SHOWN_IDS = 5;
const MAX_TEXT = 200;
const SECURITY =
  /\b(?:CVE-\d{4}-\d{4,}|GHSA-[\w-]{4,}|security|vulnerabilit(?:y|ies)|advisory|advisories)\b/i;

export function factsOf({ format, title, isWhole, entries }: Publication, now: number): Facts {
  const timed = entries.map((entry) => ({ entry, at: timeOf(entry.date) }));
  const times = timed.flatMap(({ at }) => (at === undefined ? [] : [at])).sort((a, b) => a - b);
  const past = times.filter((at) => at <= now + DAY_MS);
  const count = (matches: (entry: Entry) => boolean) => entries.filter(matches).length;
  const newest = [...timed].sort((a, b) => (b.at ?? -Infinity) - (a.at ?? -Infinity) || 0).slice(0, LATEST);
  return {
    format,
    title: cut(title),
    isWhole,
    entries: entries.length,
    first: dayOf(past[0]),
    last: dayOf(past.at(-1)),
    medianDays: medianDays(past),
    withoutId: count(({ id }) => !id),
    withoutDate: count(({ date }) => !date),
    withoutLink: count(({ url }) => !url),
    unreadableDates: timed.filter(({ entry, at }) => entry.date && at === undefined).length,
    inFuture: times.length - past.length,
    doubledIds: doubled(entries),
    onSecurity: count((entry) => SECURITY.test(entry.title)),
    latest: newest.map(({ entry, at }) => ({
      title: cut(entry.title || entry.id || ''),
      ...(entry.url ? { url: cut(entry.url) } : {}),
      ...(at === undefined ? {} : { date: dayOf(at) ?? '' }),
    })),
  };
}

/** Year, month and day, as feeds and sitemaps write them (RFC 3339, RFC 822), or people; no other form is guessed at. */
const FORMS = [
  /^(?<year>\d{4})-(?<month>\d{2})(?:-(?<day>\d{2}))?(?:,?[T ][\d:.]{4,20}(?: ?[a-z0-9:+-]{1,9})?(?: ?\([a-z ]{1,30}\))?)?$/i,
  /^(?:[a-z]{3,9},? )?(?<day>\d{1,2})[ -](?<name>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?[ -](?<year>\d{4}|\d{2})(?:,?[T ][\d:.]{4,20}(?: ?[a-z0-9:+-]{1,9})?(?: ?\([a-z ]{1,30}\))?)?$/i,
  /^(?:[a-z]{3,9},? )?(?<name>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? (?<day>\d{1,2}),? (?<year>\d{4})(?:,?[T ][\d:.]{4,20}(?: ?[a-z0-9:+-]{1,9})?(?: ?\([a-z ]{1,30}\))?)?$/i,
];
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

function timeOf(text = ''): number | undefined {
  const written = text.trim();
  const form =
    written.length > 60 ? undefined : FORMS.map((each) => each.exec(written)?.groups).find(Boolean);
  if (!form || !isOfCalendar(form)) return undefined;
  const at = Date.parse(written);
  return Number.isNaN(at) ? undefined : at;
}

/** `Date.parse` makes the second of March of a thirtieth of February, and 2001 of the year 1. */
function isOfCalendar({
  year = '',
  month,
  name,
  day = '1',
}: Readonly<Record<string, string | undefined>>): boolean {
  const inYear = month === undefined ? MONTHS.indexOf(name?.toLowerCase() ?? '') + 1 : Number(month);
  const last = new Date(Date.UTC(Number(year), inYear, 0)).getUTCDate();
  return (year.length === 2 || Number(year) >= 1000) && Number(day) >= 1 && Number(day) <= last;
}

function dayOf(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString().slice(0, 10);
}

function medianDays(times: readonly number[]): number | undefined {
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? at));
  const middle = gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 2)];
  return middle === undefined ? undefined : Math.round((middle / DAY_MS) * 10) / 10;
}

function doubled(entries: readonly Entry[]): string[] {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const { id } of entries) {
    if (id && seen.has(id)) twice.add(cut(id));
    if (id) seen.add(id);
  }
  return [...twice].slice(0, SHOWN_IDS);
}

function cut(text: string): string {
  return cutEnd(text.replace(/\s+/g, ' ').trim(), MAX_TEXT);
}
