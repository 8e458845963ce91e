/** Writes in a transaction, says so, and commits once it is told to: `in-the-middle.ts <database url>`. */
import { once } from 'node:events';
import { createStore } from '../src/index.ts';
import { type CounterTables, counterMigrations } from './counter.ts';

const [databaseUrl = ''] = process.argv.slice(2);
const store = createStore({ projectId: 'test', dataDir: '', databaseUrl });
const db = await store.open<CounterTables>('counter', counterMigrations);
const written = db.transaction().execute(async (trx) => {
  await trx.updateTable('counter_totals').set({ total: 1 }).execute();
  process.stdout.write('written\n');
  await once(process.stdin, 'data');
  await trx.updateTable('counter_totals').set({ total: 2 }).execute();
});
process.stdout.write(
  await written.then(
    () => 'committed\n',
    (error: { code?: string }) => `${error.code}\n`,
  ),
);
process.stdin.destroy();
await store.close();
