/** What came of a case, in the words that are scored; plain JSON. */
export type CaseAnswer =
  | { readonly kind: 'bug'; readonly places: readonly Place[]; readonly text: string | null }
  | { readonly kind: 'faulty-diff' | 'clean-diff'; readonly findings: readonly Place[] }
  | { readonly kind: 'spec'; readonly isMet: boolean }
  | { readonly kind: 'question'; readonly answer: string };

export interface Place {
  readonly file: string;
  /** Of the version that stands there, from 1. */
  readonly from: number;
  readonly to: number;
}
