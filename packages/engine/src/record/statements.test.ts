import type { CompiledQuery, DatabaseConnection } from 'kysely';
import { expect, it } from 'vitest';
import { databases, ended, kindOf, startEngine } from '../../test/engine-under-test.ts';
import type { RunDatabase } from './run-database.ts';

/** Each statement that is made in a transaction, by its verb and the first table that it names. */
function written({ db }: RunDatabase): string[] {
  const seen: string[] = [];
  const executor = db.getExecutor();
  const provide = executor.provideConnection.bind(executor);
  executor.provideConnection = (consumer) =>
    provide((connection) =>
      consumer({
        executeQuery(query: CompiledQuery) {
          seen.push(`${/^\s*(\w+)/.exec(query.sql)?.[1]} ${/runs_\w+/.exec(query.sql)?.[0]}`);
          return connection.executeQuery(query);
        },
        streamQuery: connection.streamQuery.bind(connection),
      } as DatabaseConnection),
    );
  return seen;
}

it.each(databases)(
  'a run of one step that does nothing makes eleven statements, on $name',
  async ({ place }) => {
    await using data = place();
    const kind = kindOf(async (_: null, run) => run.step('one', () => 1));
    await using process = startEngine(data, [kind]);
    const { on } = await process.engine.open();
    await ended(process.runs, await process.runs.start(kind, null));
    const seen = written(on);
    const { id } = await process.runs.start(kind, null);
    await ended(process.runs, id);
    // What a worker looks at from time to time is not the run's.
    const ofRun = seen.filter(
      (each) => !/notify|runs_workers|undefined/.test(each) && !/^select runs_(?:runs|turns)/.test(each),
    );
    expect(ofRun).toEqual([
      // It is begun.
      'insert runs_runs',
      'insert runs_events',
      // Its step begins.
      'update runs_runs',
      'insert runs_steps',
      'insert runs_events',
      // Step and run end; of what may be open of it all is told by one look.
      'update runs_runs',
      'insert runs_events',
      'update runs_steps',
      'update runs_runs',
      'select runs_spending',
      'insert runs_events',
    ]);
  },
);
