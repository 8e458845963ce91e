import type { AnyDatabase, Store } from '@nexus/plugin-sdk';
import { counted } from '@nexus/primitives';
import { measureDatabase } from '@nexus/store';
import { visibleLine } from '@nexus/untrusted/shown';
import { sql } from 'kysely';
import { loadConfig } from '../loaded-config/load-config.ts';
import type { ListedPlugin } from '../plugins/plugin-listing.ts';
import { projectStore } from '../project/project-store.ts';
import type { Check } from './check.ts';

interface Left {
  readonly kind: string;
  readonly version: number;
  readonly title: string;
  readonly n: number | string;
}

/** Runs and jobs that wait for a plugin which the config does not have: nobody here goes on with them. */
export const leftRuns: Check = {
  name: 'Runs',
  async run(source) {
    const loaded = await loadConfig(source);
    const store = projectStore(loaded);
    try {
      const left = (await openKinds(store)).filter((each) => !isKnown(each, loaded.plugins));
      if (left.length === 0) return { status: 'ok', saw: 'none waits for a plugin that is not there' };
      return {
        status: 'warning',
        saw: left.map(describe).join('\n      '),
        fix: 'put the plugin back into the config, and they go on; or end them by `nexus runs cancel <id>`: `nexus runs --status queued` and `nexus jobs --status queued` show them',
      };
    } finally {
      await store.close();
    }
  },
};

function isKnown({ kind, version, title }: Left, plugins: readonly ListedPlugin[]): boolean {
  if (kind === JOB_KIND) return plugins.some(({ tools }) => tools.some(({ name }) => name === title));
  return plugins.some(({ runs }) => runs.some((each) => each.name === kind && each.version === version));
}

function describe({ kind, version, title, n }: Left): string {
  if (kind === JOB_KIND)
    return `${counted(Number(n), 'job')} of the tool ${visibleLine(title)}, which no plugin has`;
  return `${counted(Number(n), 'run')} of ${visibleLine(kind)}, version ${version}, which no plugin has`;
}

/** As the engine names the runs that jobs are; a job's title is its tool. */
const JOB_KIND = 'nexus.job';

async function openKinds(store: Store): Promise<readonly Left[]> {
  const { tables } = await measureDatabase(store, []);
  // Made with the first run.
  if (!tables.some(({ table }) => table === 'runs_runs')) return [];
  const db: AnyDatabase = await store.open('doctor', []);
  // One that can't be made again ends with whichever server comes next.
  const isEnding = sql`(kind = ${sql.lit(JOB_KIND)} and input like '%"mayRunTwice":false%')`;
  const ofJob = sql`case when kind = ${sql.lit(JOB_KIND)} then title else '' end`;
  const { rows } = await sql<Left>`
    select kind, version, ${ofJob} as title, count(*) as n from runs_runs
    where status in ('queued', 'waiting') and not ${isEnding} group by kind, version, ${ofJob} order by kind, version`.execute(
    db,
  );
  return rows;
}
