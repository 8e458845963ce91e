import type { Generated } from 'kysely';
import type { BackendName } from './backends.ts';

export interface Tables {
  memory_entries: EntryRow;
  memory_versions: VersionRow;
}

interface EntryRow {
  id: Generated<number>;
  backend: BackendName;
  /** The session in a backend that keeps keys per session, else empty. */
  scope: string;
  key: string;
  value: string;
  /** UTF-8 bytes of the value. */
  bytes: number;
  /** JSON. */
  metadata: string;
  /** Lower case; empty where there is none. */
  type: string;
  confidence: number;
  version: number;
  created_at: number;
  updated_at: number;
}

interface VersionRow {
  entry_id: number;
  version: number;
  value: string;
  metadata: string;
  /** As it stood after this write. */
  confidence: number;
  written_at: number;
}
