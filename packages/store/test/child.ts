/** A process of its own on a shared database: `child.ts <data folder> <database url or -> <job> [count]`. */
import { createStore } from '../src/index.ts';
import { type CounterTables, counterMigrations } from './counter.ts';

const [dataDir = '', url = '-', job, count = '0'] = process.argv.slice(2);
const store = createStore({ projectId: 'test', dataDir, databaseUrl: url === '-' ? undefined : url });

async function run(): Promise<void> {
  const db = await store.open<CounterTables>('counter', counterMigrations);
  for (let done = 0; done < Number(count); done++) {
    await db.transaction().execute(async (trx) => {
      await trx
        .updateTable('counter_totals')
        .set(({ eb }) => ({ total: eb('total', '+', 1) }))
        .execute();
      await trx.insertInto('counter_events').values({ process: process.pid, number: done }).execute();
    });
    if (job === 'report') process.stdout.write(`${done}\n`);
  }
  await store.close();
}

await run();
