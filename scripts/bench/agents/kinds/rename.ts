import type { Ground } from '../ground.ts';
import { BELOW, type Kind, type Task } from '../work.ts';

export const rename: Kind = {
  name: 'rename',
  most: BELOW,
  tasks: (ground) =>
    ['innerFrom', 'executeSchedule', 'Unsubscribable'].map((name) => allUsages(name, ground)),
};

function allUsages(symbol: string, ground: Ground): Task {
  return {
    asked: `Every place that a rename of ${symbol} has to change`,
    nexus: [{ tool: 'search_usages', arguments: { symbol, limit: 500 } }],
    shell: [`rg -nw ${symbol} .`],
    holds: ground.linesWith(symbol),
  };
}
