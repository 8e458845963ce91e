import type { Facts } from '../reading/facts.ts';
import type { Found } from '../vendors/find-vendor.ts';
import { isUrl } from '../vendors/vendor.ts';
import type { Copy } from './copies.ts';

export interface Finding {
  readonly severity: 'high' | 'medium' | 'low';
  readonly at: string;
  readonly claim: string;
}

/** A vendor that published regularly and has been silent for so many times its usual pause. */
const SILENT_TIMES = 6;
const SILENT_DAYS = 60;

/** What speaks against relying on where a vendor publishes, each with what shows it. */
export function findingsOf({ publishes }: Found, copies: readonly Copy[], now: number): Finding[] {
  const unsafe = publishes.flatMap(({ at }): Finding[] =>
    isUrl(at) && !at.toLowerCase().startsWith('https:')
      ? [{ severity: 'high', at, claim: 'It is not served by https, so anybody on the way may change it.' }]
      : [],
  );
  return [...unsafe, ...copies.flatMap((copy) => findingsIn(copy, now))];
}

function findingsIn({ at, why, facts }: Copy, now: number): Finding[] {
  if (facts) return judge(facts, at, now);
  return why === undefined ? [] : [{ severity: 'high', at, claim: `It can’t be read. ${why}` }];
}

function judge(facts: Facts, at: string, now: number): Finding[] {
  const { entries, withoutId, withoutDate, withoutLink, unreadableDates, inFuture, doubledIds } = facts;
  const of = (count: number) => `${count} of ${entries} entries`;
  const isFeed = !['sitemap', 'sitemap_index', 'changelog'].includes(facts.format);
  const silent = silence(facts, now);
  const found: (Finding | false)[] = [
    !facts.isWhole && { severity: 'high', at, claim: 'It ends in its middle: what follows is not known.' },
    entries === 0 && { severity: 'high', at, claim: 'It has no entries.' },
    doubledIds.length > 0 && {
      severity: 'high',
      at,
      claim: `Ids stand there more than once, so a reader misses entries: ${doubledIds.join(', ')}.`,
    },
    isFeed && withoutId > 0 && { severity: 'medium', at, claim: `${of(withoutId)} have no id.` },
    withoutDate > 0 && { severity: 'medium', at, claim: `${of(withoutDate)} have no date.` },
    unreadableDates > 0 && {
      severity: 'medium',
      at,
      claim: `${of(unreadableDates)} have a date that is none.`,
    },
    inFuture > 0 && { severity: 'low', at, claim: `${of(inFuture)} are dated in the future.` },
    isFeed && withoutLink > 0 && { severity: 'low', at, claim: `${of(withoutLink)} lead nowhere.` },
    silent !== undefined && { severity: 'medium', at, claim: silent },
  ];
  return found.filter((each) => each !== false);
}

function silence({ last, medianDays }: Facts, now: number): string | undefined {
  if (last === undefined || medianDays === undefined) return undefined;
  const days = Math.floor((now - Date.parse(last)) / 86_400_000);
  if (days < Math.max(SILENT_DAYS, SILENT_TIMES * medianDays)) return undefined;
  return `Its last entry was ${days} days before it was fetched; until then there was one every ${medianDays} days.`;
}
