import { Work } from '../expressions/work.ts';

/** Less than this nobody notices, and it is done at once: some milliseconds. */
const LIGHT = 250_000;

let last: Promise<void> | undefined;

const others = () => new Promise<void>((resolve) => setImmediate(resolve));

/** What is due then goes ahead of all that comes later. */
function after(turn: Promise<void>): Promise<void> {
  const mine = turn.then(others);
  last = mine;
  void mine.then(() => {
    if (last === mine) last = undefined;
  });
  return mine;
}

/**
 * Works something out when those before have, and lets others have a turn after what took long: steps that become
 * ready together would otherwise do it all in one go.
 */
export async function inTurn<Value>(workOut: (work: Work) => Value): Promise<Value> {
  if (last) await after(last);
  const work = new Work();
  try {
    return workOut(work);
  } finally {
    if (work.spent > LIGHT && !last) void after(Promise.resolve());
  }
}
