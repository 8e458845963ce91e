import type { Dispatcher } from '@nexus/core';
import { loadedSoon } from './loaded-soon.ts';

export interface LazyDispatcher extends Dispatcher {
  /** Resolves when no call waits any more for what is loaded with the first: each is on its way then. */
  begun(): Promise<void>;
}

/** The way of every call: who starts a server lists its tools first. */
export function lazyDispatcher(load: () => Promise<Dispatcher>): LazyDispatcher {
  let made: Dispatcher | undefined;
  const { there, begun } = loadedSoon(async () => {
    made = await load();
    return made;
  });
  return {
    // Not by `await`: each on the way of a call costs a tenth of a short one.
    call: (...given) => made?.call(...given) ?? there().then(({ call }) => call(...given)),
    startTask: async (...given) => (await there()).startTask(...given),
    callAgain: async (...given) => (await there()).callAgain(...given),
    async begun() {
      await begun()?.catch(() => {});
    },
  };
}
