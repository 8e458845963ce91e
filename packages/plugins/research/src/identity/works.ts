import { contradicts } from './contradicts.ts';
import type { WorkId } from './ids.ts';
import { type IdKind, idKinds } from './ids.ts';
import type { Standing, WorkRecord, WorkVersion } from './record.ts';

/** One work, by all that sources tell of it. */
export interface Work {
  /** The first of its ids, DOI before arXiv before OpenAlex before Semantic Scholar. */
  readonly id: WorkId;
  readonly ids: readonly WorkId[];
  /** Never empty; the one that knows most first. */
  readonly records: readonly WorkRecord[];
  /** Each form of it that is known, oldest first. */
  readonly versions: readonly WorkVersion[];
  /** Ids that a record gives this work and that are another's by all else that is said of them. */
  readonly disputedIds: readonly WorkId[];
}

/** What is known of a work's being withdrawn. */
export interface Known {
  readonly standing: Standing;
  readonly source: string;
  /** Epoch milliseconds at which the source said so. */
  readonly asOf: number;
}

/**
 * Works by the union of their records' ids: two records are one work where an id is in both, or in others that lead
 * from one to the other, unless what they say of themselves speaks against it. Titles alone join nothing. The same
 * records in another order are the same works.
 */
export function worksOf(records: readonly WorkRecord[]): Work[] {
  const groups = new Map<WorkRecord, WorkRecord[]>(records.map((record) => [record, [record]]));
  const disputed = new Map<WorkRecord, Set<WorkId>>();
  for (const [id, known] of recordsById(records)) {
    const [first, ...others] = known;
    for (const record of others) {
      if (!first) break;
      const mate = known.find((each) => each !== record && canJoin(groups, each, record));
      if (mate) join(groups, mate, record);
      else for (const each of [first, record]) add(disputed, each, id);
    }
  }
  return [...new Set(groups.values())].map((group) => toWork(group, disputed));
}

/** In the order of the ids, so that the order of records changes nothing. */
function recordsById(records: readonly WorkRecord[]): [WorkId, WorkRecord[]][] {
  const byId = new Map<WorkId, WorkRecord[]>();
  for (const record of records) {
    for (const id of new Set(record.ids)) byId.set(id, [...(byId.get(id) ?? []), record]);
  }
  return [...byId]
    .sort(([a], [b]) => compareIds(a, b))
    .map(([id, known]) => [id, [...known].sort(byRichness)]);
}

type Groups = Map<WorkRecord, WorkRecord[]>;

function canJoin(groups: Groups, a: WorkRecord, b: WorkRecord): boolean {
  const [one, other] = [groups.get(a) ?? [], groups.get(b) ?? []];
  if (one === other) return true;
  return !one.some((each) => other.some((another) => contradicts(each, another)));
}

function join(groups: Groups, a: WorkRecord, b: WorkRecord): void {
  const [one, other] = [groups.get(a) ?? [], groups.get(b) ?? []];
  if (one === other) return;
  one.push(...other);
  for (const each of other) groups.set(each, one);
}

function add(disputed: Map<WorkRecord, Set<WorkId>>, record: WorkRecord, id: WorkId): void {
  disputed.set(record, (disputed.get(record) ?? new Set()).add(id));
}

function toWork(group: readonly WorkRecord[], disputed: Map<WorkRecord, Set<WorkId>>): Work {
  const records = [...group].sort(byRichness);
  const disputedIds = new Set(records.flatMap((record) => [...(disputed.get(record) ?? [])]));
  const all = [...new Set(records.flatMap(({ ids }) => ids))].sort(compareIds);
  const ids = all.filter((id) => !disputedIds.has(id));
  const [first] = ids.length > 0 ? ids : all;
  if (!first) throw new Error('a record without an id');
  return {
    id: first,
    ids: ids.length > 0 ? ids : all,
    records,
    // What may be another work is no version of this one.
    versions: versionsOf(records).filter((version) => !disputedIds.has(version.id)),
    disputedIds: [...disputedIds],
  };
}

function versionsOf(records: readonly WorkRecord[]): WorkVersion[] {
  const byId = new Map<WorkId, WorkVersion>();
  for (const version of records.flatMap(({ versions }) => versions)) {
    const found = byId.get(version.id);
    const kind = found === undefined || found.kind === 'other' ? version.kind : found.kind;
    byId.set(version.id, {
      id: version.id,
      kind,
      number: larger(found?.number, version.number),
      date: found?.date ?? version.date,
    });
  }
  return [...byId.values()].sort(
    (a, b) => compare(a.date ?? '9999', b.date ?? '9999') || compareIds(a.id, b.id),
  );
}

function larger(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

const WEIGHT: readonly Standing[] = ['retracted', 'withdrawn', 'concern', 'none_known'];

/** The worst that a source says, by whoever said it last; undefined where none that was asked tells such things. */
export function standingOf(records: readonly WorkRecord[]): Known | undefined {
  const told = records.flatMap(({ standing, source, origin }) =>
    standing === undefined ? [] : [{ standing, source, asOf: origin.fetchedAt }],
  );
  const rank = ({ standing }: Known) => WEIGHT.indexOf(standing);
  return told.sort((a, b) => rank(a) - rank(b) || b.asOf - a.asOf)[0];
}

/** Those with an abstract first, then the article before the preprint, then by what they are known by. */
function byRichness(a: WorkRecord, b: WorkRecord): number {
  const weight = ({ abstract, kind }: WorkRecord) => (abstract ? 0 : 2) + (kind === 'preprint' ? 1 : 0);
  return (
    weight(a) - weight(b) ||
    compare(a.source, b.source) ||
    compare(a.ids.join(' '), b.ids.join(' ')) ||
    compare(a.title, b.title)
  );
}

function compareIds(a: WorkId, b: WorkId): number {
  const rank = (id: WorkId) => idKinds.indexOf(id.slice(0, id.indexOf(':')) as IdKind);
  return rank(a) - rank(b) || compare(a, b);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
