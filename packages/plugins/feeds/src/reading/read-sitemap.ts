import { ToolError } from '@nexus/plugin-sdk';
import { Parser } from 'htmlparser2';
import type { Entry, Publication } from './entry.ts';

/** A sitemap, or an index of sitemaps (sitemaps.org, 0.9), in one pass. */
export function readSitemap(xml: string): Publication {
  const entries: Entry[] = [];
  let format: Publication['format'] | undefined;
  let isWhole = false;
  let url: string | undefined;
  let date: string | undefined;
  let text = '';
  const parser = new Parser(
    {
      onopentag(name) {
        text = '';
        if (name === 'urlset') format ??= 'sitemap';
        if (name === 'sitemapindex') format ??= 'sitemap_index';
      },
      ontext(part) {
        text += part;
      },
      onclosetag(name, isImplied) {
        if (name === 'loc') url = text.trim();
        if (name === 'lastmod') date = text.trim();
        if (name === 'url' || name === 'sitemap') {
          entries.push({ id: url, title: '', url, date });
          url = undefined;
          date = undefined;
        }
        if (name === 'urlset' || name === 'sitemapindex') isWhole = !isImplied;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
  if (format) return { format, title: '', isWhole, entries };
  throw new ToolError('NEXUS_INVALID_ARGUMENTS', 'It is no sitemap: it has neither urlset nor sitemapindex.');
}
