import type { SourceName } from '@nexus/plugin-sdk';
import type { WorkId } from './ids.ts';

export const workKinds = [
  'article',
  'preprint',
  'book',
  'chapter',
  'thesis',
  'dataset',
  'notice',
  'repository',
  'other',
] as const;

export type WorkKind = (typeof workKinds)[number];

/** One form in which a work was published, such as a preprint or an article. */
export interface WorkVersion {
  readonly id: WorkId;
  readonly kind: WorkKind;
  /** Of a preprint that counts its versions. */
  readonly number?: number | undefined;
  /** `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, as far as the source says it. */
  readonly date?: string | undefined;
}

export const standings = ['retracted', 'withdrawn', 'concern', 'none_known'] as const;

/** What a source says of a work's being withdrawn; `none_known` where it says that of others, and not of this. */
export type Standing = (typeof standings)[number];

/** Where a record was read, and when. */
export interface Origin {
  readonly url: string;
  /** Epoch milliseconds at which the source said so. */
  readonly fetchedAt: number;
  readonly staleBecause?: string | undefined;
}

/** A work as one source tells of it. */
export interface WorkRecord {
  readonly source: SourceName;
  /** All that the source holds to be this work, its own id among them. */
  readonly ids: readonly WorkId[];
  readonly kind: WorkKind;
  readonly title: string;
  readonly authors: readonly string[];
  readonly date?: string | undefined;
  readonly venue?: string | undefined;
  readonly abstract?: string | undefined;
  readonly url: string;
  readonly citations?: number | undefined;
  readonly versions: readonly WorkVersion[];
  /** Absent where the source does not tell. */
  readonly standing?: Standing | undefined;
  readonly origin: Origin;
}
