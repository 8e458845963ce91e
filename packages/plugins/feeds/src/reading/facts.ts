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

function timeOf(text = ''): number | undefined {
  const at = isOfCalendar(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** `Date.parse` makes the second of March of a thirtieth of February, 2001 of the year 1, and guesses which of two numbers is the month. */
function isOfCalendar(text: string): boolean {
  const iso = /^\s{0,20}(\d{4})-(\d{2})-(\d{2})/.exec(text);
  const named = /\b(\d{1,2})[ -]([a-z]{3})[a-z]{0,6}[ -](\d{4})\b/i.exec(text);
  const [year, month, day] = iso
    ? [Number(iso[1]), Number(iso[2]), Number(iso[3])]
    : [Number(named?.[3]), MONTHS.indexOf(named?.[2]?.toLowerCase() ?? '') + 1, Number(named?.[1])];
  if (Number.isNaN(year) || month === 0) return !/\d\/\d/.test(text);
  return year >= 1000 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
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
