import { ToolError } from '@nexus/plugin-sdk';
import { vi } from 'vitest';
import type { RunDatabase } from '../src/record/run-database.ts';

/**
 * Breaks the connection once a transaction is committed, before its answer has come.
 * @param isLost asked with the number of each transaction, from 1 on
 */
export function loseAnswers({ db }: RunDatabase, isLost: (count: number) => boolean): void {
  const { transaction } = db;
  let count = 0;
  vi.spyOn(db, 'transaction').mockImplementation(() => {
    const real = transaction.call(db);
    const executeReal = real.execute.bind(real);
    const execute: typeof executeReal = async (work) => {
      const result = await executeReal(work);
      count += 1;
      if (isLost(count)) throw new ToolError('NEXUS_STORE_UNAVAILABLE', 'The connection broke.');
      return result;
    };
    return Object.assign(real, { execute });
  });
}
