import { ToolError } from '@nexus/plugin-sdk';
import { cutEndCounted } from '@nexus/primitives';
import { parseFeed } from 'feedsmith';
import type { Entry, Publication } from './entry.ts';

/** RSS, Atom, RDF or JSON Feed. */
export function readFeed(text: string): Publication {
  const parsed = parse(text);
  const { format } = parsed;
  const { title } = parsed.feed;
  return {
    format,
    title: typeof title === 'object' ? (title.value ?? '') : (title ?? ''),
    isWhole: format === 'json' || endsWhole(text),
    entries: entriesOf(parsed),
  };
}

/** Its last tag closes the feed. */
function endsWhole(text: string): boolean {
  return /^<\/(?:[\w.-]{1,50}:)?(?:rss|feed|rdf)\s*>/i.test(text.slice(text.lastIndexOf('</')));
}

function parse(text: string): ReturnType<typeof parseFeed> {
  try {
    return parseFeed(text);
  } catch (error) {
    const whole = upToLastEntry(text);
    if (whole !== undefined) return parse(whole);
    const why = error instanceof Error ? error.message : String(error);
    throw new ToolError(
      'NEXUS_INVALID_ARGUMENTS',
      `It is no RSS, Atom, RDF or JSON feed: ${cutEndCounted(why, 200)}`,
    );
  }
}

/** Where the root of a feed stands. */
const HEAD = 2_000;
const ENDS = { '</item>': ['</channel></rss>', '</rdf:RDF>'], '</entry>': ['</feed>'] } as const;

/** Of a feed that ends inside an entry, what comes before; undefined for any other text. */
function upToLastEntry(text: string): string | undefined {
  if (endsWhole(text)) return undefined;
  for (const [entry, [end, rdf]] of Object.entries(ENDS)) {
    const at = text.lastIndexOf(entry);
    if (at === -1) continue;
    const close = rdf !== undefined && /<rdf:RDF\b/.test(text.slice(0, HEAD)) ? rdf : end;
    return `${text.slice(0, at + entry.length)}${close}`;
  }
  return undefined;
}

function entriesOf(parsed: ReturnType<typeof parseFeed>): Entry[] {
  switch (parsed.format) {
    case 'rss':
      return (parsed.feed.items ?? []).map(({ guid, title, link, pubDate, dc }) => ({
        id: guid?.value,
        title: title ?? '',
        url: link,
        date: textOf(pubDate ?? dc?.dates?.[0]),
      }));
    case 'atom':
      return (parsed.feed.entries ?? []).map(({ id, title, links, updated, published }) => ({
        id,
        title: title?.value ?? '',
        url: links?.find(({ rel }) => rel === undefined || rel === 'alternate')?.href,
        date: textOf(published ?? updated),
      }));
    case 'rdf':
      return (parsed.feed.items ?? []).map(({ title, link, rdf, dc }) => ({
        id: rdf?.about,
        title: title ?? '',
        url: link,
        date: textOf(dc?.dates?.[0]),
      }));
    case 'json':
      return (parsed.feed.items ?? []).map(({ id, title, url, date_published, date_modified }) => ({
        id,
        title: title ?? '',
        url,
        date: textOf(date_published ?? date_modified),
      }));
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
