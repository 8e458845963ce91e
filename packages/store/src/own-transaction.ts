import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type CompiledQuery,
  type Dialect,
  type Driver,
  Kysely,
  type Transaction,
  type TransactionBuilder,
} from 'kysely';
import type { Waiters } from './waiters.ts';

/** The transaction that the work at hand is a part of. */
interface Open {
  isOver: boolean;
}

/** Knows of the work at hand whether it is a part of a transaction that is open. */
interface OpenTransactions {
  readonly isWithin: boolean;
  within<Result>(work: () => Promise<Result>): Promise<Result>;
}

function openTransactions(): OpenTransactions {
  const at = new AsyncLocalStorage<Open>();
  let count = 0;
  return {
    get isWithin() {
      return at.getStore()?.isOver === false;
    },
    async within(work) {
      const open = { isOver: false };
      count += 1;
      try {
        return await at.run(open, work);
      } finally {
        open.isOver = true;
        count -= 1;
        // Else every promise of the process would be followed from then on, which costs a third of what the engine does.
        if (count === 0) at.disable();
      }
    },
  };
}

/**
 * A database of one store. Who works in a transaction and asks the database beside it would wait for a connection
 * that the transaction has, or, where there is another, see nothing of it: it is refused at once. What a waiter's
 * work asks is asked again while the store is away: a statement, or a transaction as a whole.
 */
export function guardedDatabase<Tables>(dialect: Dialect, waiters: Waiters): Kysely<Tables> {
  const at = openTransactions();
  return new GuardedKysely<Tables>(
    { at, waiters },
    {
      ...dialect,
      createAdapter: () => dialect.createAdapter(),
      createQueryCompiler: () => dialect.createQueryCompiler(),
      createIntrospector: (db) => dialect.createIntrospector(db),
      createDriver: () => guardedDriver(dialect.createDriver(), at),
    },
  );
}

interface Guards {
  readonly at: OpenTransactions;
  readonly waiters: Waiters;
}

class GuardedKysely<Tables> extends Kysely<Tables> {
  readonly #guards: Guards;

  constructor(guards: Guards, dialect: Dialect) {
    super({ dialect });
    this.#guards = guards;
    // A transaction has an executor of its own.
    const executor = this.getExecutor();
    const once = executor.executeQuery.bind(executor);
    executor.executeQuery = <Row>(query: CompiledQuery) =>
      guards.waiters.ask(() => once<Row>(query), query.query.kind === 'SelectQueryNode');
  }

  override transaction(): TransactionBuilder<Tables> {
    return guardedBuilder(super.transaction(), this.#guards);
  }
}

function guardedBuilder<Tables>(
  builder: TransactionBuilder<Tables>,
  guards: Guards,
): TransactionBuilder<Tables> {
  const { at, waiters } = guards;
  const execute = builder.execute.bind(builder);
  const { setAccessMode, setIsolationLevel } = builder;
  return Object.assign(builder, {
    execute: <Result>(work: (trx: Transaction<Tables>) => Promise<Result>) =>
      waiters.ask(() => execute((trx) => at.within(() => work(trx))), false),
    setAccessMode: (mode: Parameters<typeof setAccessMode>[0]) =>
      guardedBuilder(setAccessMode.call(builder, mode), guards),
    setIsolationLevel: (level: Parameters<typeof setIsolationLevel>[0]) =>
      guardedBuilder(setIsolationLevel.call(builder, level), guards),
  });
}

/** All that is no transaction's own asks for a connection first. */
function guardedDriver(driver: Driver, at: OpenTransactions): Driver {
  const acquire = driver.acquireConnection.bind(driver);
  return Object.assign(driver, {
    async acquireConnection(...asked: Parameters<Driver['acquireConnection']>) {
      if (at.isWithin) {
        throw new Error(
          'A transaction is open here, and this query is not a part of it: it would wait for the transaction, and the transaction for it. Make it with the transaction that the callback was given, or after it.',
        );
      }
      return acquire(...asked);
    },
  });
}
