import type { PluginUnderTest } from '@nexus/testing';

/** The machines that runs of a kind are bound to, by the record; null where they go on anywhere. */
export async function placesOf({ host }: PluginUnderTest, kind: string): Promise<readonly (string | null)[]> {
  const db = await host.store.open<{ runs_runs: { kind: string; place: string | null } }>('places', []);
  const rows = await db.selectFrom('runs_runs').select('place').where('kind', '=', kind).execute();
  return rows.map(({ place }) => place);
}
