import type { RunStep } from '@nexus/plugin-sdk';
import type { RunDatabase } from '../record/run-database.ts';

export type ShownValue = NonNullable<RunStep['output']>;

/** Of a value of a step, as it is shown in its run. */
const MAX_SHOWN_CHARS = 1_000;

/** As a step's input is kept: its beginning, and how long it is. */
export function shownStart(json: string): string {
  return JSON.stringify(shownValue(json));
}

export function shownValue(json: string, characters: number = json.length): ShownValue {
  return { json: json.slice(0, MAX_SHOWN_CHARS), characters };
}

/** The beginnings of a run's long values, by their names. */
export async function longValues(
  { db }: RunDatabase,
  runId: string,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, ShownValue>> {
  if (hashes.length === 0) return new Map();
  const rows = await db
    .selectFrom('runs_blobs')
    .select(({ fn, ref, val }) => [
      'hash',
      fn<string>('substr', [ref('content'), val(1), val(MAX_SHOWN_CHARS)]).as('start'),
      fn<number | string>('length', ['content']).as('characters'),
    ])
    .where('run_id', '=', runId)
    .where('hash', 'in', [...hashes])
    .execute();
  return new Map(rows.map(({ hash, start, characters }) => [hash, shownValue(start, Number(characters))]));
}
