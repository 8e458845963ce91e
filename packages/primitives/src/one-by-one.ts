import { setImmediate } from 'node:timers/promises';

/** Does a piece of work when those before are done, in a turn of the event loop of its own. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * A statement on the embedded database holds the thread while it runs. Calls that come at once would hold it one
 * after the other in one go: so each piece of work waits for those before it, and then for everybody else.
 */
export function oneByOne(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(() => setImmediate()).then(work);
    last = mine.catch(() => {});
    return mine;
  };
}
