import type { Compilable, CompiledQuery, QueryResult } from 'kysely';
import type { RunDatabase, RunTransaction } from './run-database.ts';

/** Stands in a statement for a value that comes with each run of it. */
class Slot {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** The columns that a statement takes, each by its name. */
type Slots<Values> = <Name extends keyof Values & string>(name: Name) => Values[Name];

type Make<Values> = (on: RunDatabase, values: Values) => CompiledQuery;
type Run<Values> = (trx: RunTransaction, on: RunDatabase, values: Values) => Promise<QueryResult<unknown>>;

/** A statement that is put together once for a store and run with other values each time: each step makes several. */
export function prepared<Values>(
  build: (db: RunTransaction, slots: Slots<Values>, on: RunDatabase) => Compilable,
): Run<Values> {
  const make = statement(build);
  return (trx, on, values) => trx.executeQuery(make(on, values));
}

/** The same for whoever hands it on. */
export function statement<Values>(
  build: (db: RunTransaction, slots: Slots<Values>, on: RunDatabase) => Compilable,
): Make<Values> {
  const known = new WeakMap<object, { clock: string; compiled: CompiledQuery }>();
  const slots: Slots<Values> = (name) => new Slot(name) as never; // kysely passes a value on as it is
  return (on, values) => {
    // A test's clock is another text at each query.
    const clock = JSON.stringify(on.store.now.toOperationNode());
    let built = known.get(on.store);
    if (built?.clock !== clock) {
      built = { clock, compiled: build(on.db, slots, on).compile() };
      known.set(on.store, built);
    }
    const { compiled } = built;
    const parameters = compiled.parameters.map((each) =>
      each instanceof Slot ? values[each.name as keyof Values] : each,
    );
    return { ...compiled, parameters };
  };
}
