export const publicationKinds = ['feed', 'sitemap', 'changelog'] as const;

export type Publication = {
  readonly kind: (typeof publicationKinds)[number];
  /** A URL, or the path of a file of the project. */
  readonly at: string;
};

export interface Vendor {
  readonly title: string;
  readonly publishes: readonly Publication[];
}

export const isUrl = (at: string): boolean => /^https?:\/\//i.test(at);
