import type { Compilable, CompiledQuery, QueryResult } from 'kysely';
import type { RunDatabase, RunTransaction } from './run-database.ts';

/** Stands in a statement for a value that comes with each run of it. */
class Slot {
  /** By which name, or at which place, the value comes. */
  readonly at: string | number;
  constructor(at: string | number) {
    this.at = at;
  }
}

/** The columns that a statement takes, each by its name. */
type Slots<Values> = <Name extends keyof Values & string>(name: Name) => Values[Name];

type Make<Values> = (on: RunDatabase, values: Values) => CompiledQuery;
type Run<Values> = (trx: RunTransaction, on: RunDatabase, values: Values) => Promise<QueryResult<unknown>>;

/**
 * A statement that is put together once for a store and run with other values each time: each step makes several. What
 * it says may depend on the store's dialect, and on nothing else of `on`.
 */
export function prepared<Values = object>(
  build: (db: RunTransaction, slots: Slots<Values>, on: RunDatabase) => Compilable,
): Run<Values> {
  const make = statement(build);
  return (trx, on, values) => trx.executeQuery(make(on, values));
}

/** The same for whoever hands it on. */
export function statement<Values>(
  build: (db: RunTransaction, slots: Slots<Values>, on: RunDatabase) => Compilable,
): Make<Values> {
  const known = new WeakMap<object, CompiledQuery>();
  const slots: Slots<Values> = (name) => new Slot(name) as never; // kysely passes a value on as it is
  return (on, values) => {
    const clock = clockOf(on);
    let built = known.get(clock);
    if (!built) {
      built = build(on.db, slots, on).compile();
      known.set(clock, built);
    }
    return filled(built, (at) => values[at as keyof Values]);
  };
}

/** How many shapes of a statement are kept; those beyond are put together anew. */
const MAX_SHAPES = 50;

/**
 * The same for a statement whose text depends on its values: on how many a list has, on what is absent, and on what is
 * true or not. It is put together once for each such shape, with the strings and numbers that it is given left open.
 */
export function shaped<Values extends object>(
  build: (db: RunTransaction, values: Values, on: RunDatabase) => Compilable,
): Run<Values> {
  const known = new WeakMap<object, Map<string, CompiledQuery>>();
  return (trx, on, values) => {
    const clock = clockOf(on);
    const shapes = known.get(clock) ?? new Map<string, CompiledQuery>();
    known.set(clock, shapes);
    const { shape, leaves } = shapeOf(values);
    const built = shapes.get(shape) ?? build(on.db, slotted(values), on).compile();
    // Last in the order of use.
    shapes.delete(shape);
    shapes.set(shape, built);
    const [oldest] = shapes.keys();
    if (shapes.size > MAX_SHAPES && oldest !== undefined) shapes.delete(oldest);
    return trx.executeQuery(filled(built, (at) => leaves[Number(at)]));
  };
}

/** What a store's statements are known by: of a test's clock it is another whenever its time has changed. */
function clockOf({ store }: RunDatabase): object {
  return store.now.toOperationNode();
}

/** What two sets of values have alike whose statements are of one text, and what they may differ in, in order. */
function shapeOf(values: object): { shape: string; leaves: unknown[] } {
  const leaves: unknown[] = [];
  const shape = JSON.stringify(values, (_, each: unknown) => {
    if (!isLeaf(each)) return each;
    leaves.push(each);
    return 0;
  });
  return { shape, leaves };
}

const isLeaf = (value: unknown) => typeof value === 'string' || typeof value === 'number';

/** The values with a slot for each string and number, in the order in which JSON has them. */
function slotted<Values>(values: Values): Values {
  let count = 0;
  const open = (value: unknown): unknown => {
    if (isLeaf(value)) return new Slot(count++);
    if (Array.isArray(value)) return value.map(open);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, open(each)]));
  };
  return open(values) as Values; // kysely passes a value on as it is
}

function filled(compiled: CompiledQuery, valueAt: (at: Slot['at']) => unknown): CompiledQuery {
  const parameters = compiled.parameters.map((each) => (each instanceof Slot ? valueAt(each.at) : each));
  return { ...compiled, parameters };
}
