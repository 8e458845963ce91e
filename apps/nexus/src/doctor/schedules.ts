import type { AnyDatabase, Store } from '@nexus/plugin-sdk';
import { counted } from '@nexus/primitives';
import { measureDatabase } from '@nexus/store';
import { visibleWord } from '@nexus/untrusted/shown';
import { loadConfig } from '../loaded-config/load-config.ts';
import { projectStore } from '../project/project-store.ts';
import { age } from '../terminal/age.ts';
import type { Check } from './check.ts';

/** Who has not heard of it by then does not miss it. */
const LATELY_MS = 7 * 86_400_000;

/** Times of schedules that came while no server was there: work that nobody began. */
export const schedules: Check = {
  name: 'Schedules',
  async run(source) {
    const store = projectStore(await loadConfig(source));
    try {
      const missed = await missedLately(store);
      if (missed.length === 0)
        return { status: 'ok', saw: 'no time of a workflow was missed in the last 7 days' };
      return {
        status: 'warning',
        saw: missed.map(describe).join('\n      '),
        fix: 'have a server of the project run at those times, or let the file say `catchUp: true`, so that one run makes up for them; `nexus run <workflow>` begins one now',
      };
    } finally {
      await store.close();
    }
  },
};

interface Missed {
  readonly file: string;
  readonly missed: number | string;
  readonly missed_at: number | string;
}

function describe({ file, missed, missed_at }: Missed): string {
  const found = age(new Date(Number(missed_at)).toISOString());
  return `${visibleWord(file)}: ${counted(Number(missed), 'time')} came while no server was there, the last found ${found} ago`;
}

async function missedLately(store: Store): Promise<readonly Missed[]> {
  const { tables } = await measureDatabase(store, []);
  // Made with the first schedule.
  if (!tables.some(({ table }) => table === 'schedules_slots')) return [];
  const db: AnyDatabase = await store.open('doctor', []);
  return (await db
    .selectFrom('schedules_slots')
    .select(['file', 'missed', 'missed_at'])
    .where('missed_at', '>', (await store.readNow(db)) - LATELY_MS)
    .orderBy('file')
    .execute()) as readonly Missed[];
}
