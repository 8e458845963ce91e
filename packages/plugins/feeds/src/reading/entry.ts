/** One thing that was published. */
export interface Entry {
  readonly id: string | undefined;
  readonly title: string;
  readonly url: string | undefined;
  /** As it stands there. */
  readonly date: string | undefined;
}

export interface Publication {
  readonly format: 'rss' | 'atom' | 'rdf' | 'json' | 'sitemap' | 'sitemap_index' | 'changelog';
  readonly title: string;
  /** False where the text ends in its middle. */
  readonly isWhole: boolean;
  readonly entries: readonly Entry[];
}
