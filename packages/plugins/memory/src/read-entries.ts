import type { Memory } from './memory.ts';
import { type Metadata, readMetadata } from './metadata.ts';
import { versionUri } from './version-value.ts';

/** How many earlier versions are shown, and how much of each. */
const SHOWN_VERSIONS = 3;
const SHOWN_CHARACTERS = 300;

export interface EntryText {
  readonly key: string;
  readonly value: string;
  readonly metadata: Metadata;
  readonly version: number;
  /** Newest first, without the current one. */
  readonly history: readonly EarlierVersion[];
}

export interface EarlierVersion {
  readonly version: number;
  readonly value: string;
  /** How many characters it has, where these are its first. */
  readonly valueChars?: number;
  /** Where all of them are then. */
  readonly whole?: string;
  readonly confidence: number;
  readonly writtenAt: string;
}

/** The texts and the last versions of these entries, by id. */
export async function readEntries({ db }: Memory, ids: readonly number[]): Promise<Map<number, EntryText>> {
  if (ids.length === 0) return new Map();
  const entries = await db
    .selectFrom('memory_entries')
    .select(['id', 'key', 'value', 'metadata', 'version'])
    .where('id', 'in', ids)
    .execute();
  const versions = await db
    .selectFrom('memory_versions')
    .innerJoin('memory_entries', 'memory_entries.id', 'memory_versions.entry_id')
    .select(({ fn, val }) => [
      'entry_id',
      'memory_versions.version as version',
      'memory_versions.confidence as confidence',
      'written_at',
      fn<string>('substr', ['memory_versions.value', val(1), val(SHOWN_CHARACTERS)]).as('value'),
      fn<number>('length', ['memory_versions.value']).as('chars'),
    ])
    .where('entry_id', 'in', ids)
    .whereRef('memory_versions.version', '<', 'memory_entries.version')
    .where((eb) => eb('memory_versions.version', '>=', eb('memory_entries.version', '-', SHOWN_VERSIONS)))
    .orderBy('memory_versions.version', 'desc')
    .execute();
  const historyOf = (id: number) =>
    versions
      .filter(({ entry_id }) => entry_id === id)
      .map(({ version, value, chars, confidence, written_at }) => ({
        version,
        value,
        ...(Number(chars) > SHOWN_CHARACTERS
          ? { valueChars: Number(chars), whole: versionUri(id, version) }
          : {}),
        confidence,
        writtenAt: new Date(written_at).toISOString(),
      }));
  return new Map(
    entries.map(({ id, metadata, ...entry }) => [
      id,
      { ...entry, metadata: readMetadata(metadata), history: historyOf(id) },
    ]),
  );
}
