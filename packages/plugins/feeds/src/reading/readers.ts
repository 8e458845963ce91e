import type { Publication } from '../vendors/vendor.ts';
import { type Facts, factsOf } from './facts.ts';
import { readChangelog } from './read-changelog.ts';
import { readFeed } from './read-feed.ts';
import { readSitemap } from './read-sitemap.ts';

interface Given {
  readonly kind: Publication['kind'];
  readonly text: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

const readerOf = { feed: readFeed, sitemap: readSitemap, changelog: readChangelog };

export const readers = {
  /** @throws {ToolError} NEXUS_INVALID_ARGUMENTS where the text is not of its kind */
  publication: ({ kind, text, now }: Given): Facts => factsOf(readerOf[kind](text), now),
};
