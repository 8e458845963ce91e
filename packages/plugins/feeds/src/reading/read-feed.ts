import { ToolError } from '@nexus/plugin-sdk';
import { cutEndCounted } from '@nexus/primitives';
import { parseFeed } from 'feedsmith';
import type { Entry, Publication } from './entry.ts';

const ENDS = { rss: '</rss>', atom: 'feed>', rdf: 'RDF>' } as const;

/** RSS, Atom, RDF or JSON Feed. */
export function readFeed(text: string): Publication {
  const parsed = parse(text);
  const { format } = parsed;
  const isWhole = format === 'json' || text.lastIndexOf(ENDS[format]) > text.lastIndexOf('<item');
  const { title } = parsed.feed;
  return {
    format,
    title: typeof title === 'object' ? (title.value ?? '') : (title ?? ''),
    isWhole,
    entries: entriesOf(parsed),
  };
}

function parse(text: string): ReturnType<typeof parseFeed> {
  try {
    return parseFeed(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ToolError(
      'NEXUS_INVALID_ARGUMENTS',
      `It is no RSS, Atom, RDF or JSON feed: ${cutEndCounted(why, 200)}`,
    );
  }
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
