/** What is to be known of data, wherever it goes. */
export interface Label {
  /** Untrusted is what anybody may have written: it may tell a model to do something. */
  readonly trust: 'trusted' | 'untrusted';
  /** Private is what the world does not know already. */
  readonly privacy: 'public' | 'private';
}

/** Under this key of a result’s `_meta` stands the label of all that it holds. */
export const LABEL_META_KEY = 'nexus/label';
