import { createStore } from '@nexus/store';
import { createBudgets } from '../src/budgets/budgets.ts';
import { sources } from '../src/sources/sources.ts';
import type { Asked, Told } from './asking.ts';

const [projectId = '', dataDir = '', databaseUrl] = process.argv.slice(2);
let now = 0;
const store = createStore({ projectId, dataDir, databaseUrl, testClock: () => now });
const budgets = createBudgets(store);

/** Asks for a turn when it is told what time it is, and gives it back when it is told that its request is over. */
async function heard({ at, source, over }: Asked): Promise<Told> {
  now = at;
  if (over !== undefined) await budgets.done(source, over, {});
  const turn = await budgets.take(source, sources[source].pace);
  return turn.isGiven ? { given: turn.id } : {};
}

process.on('message', (asked: Asked) => {
  void heard(asked).then(
    (told) => process.send?.(told),
    (error: unknown) => process.send?.({ failed: String(error) } satisfies Told),
  );
});
process.on('disconnect', () => {
  void store.close();
});
