import type { GrowthRow } from './row.ts';
import { configFaults } from './rows/config-faults.ts';
import { firstFind, firstFindWait } from './rows/first-find.ts';
import { largeArguments, largeRows, largeText } from './rows/large-messages.ts';
import { manyToolboxesJoin, manyToolboxesList } from './rows/many-toolboxes.ts';
import { memorySearch, memoryWait } from './rows/memory-search.ts';
import { openToolboxes } from './rows/open-toolboxes.ts';
import { runOfSteps } from './rows/run-of-steps.ts';
import { firstSymbol, symbolMemory } from './rows/symbol-index.ts';

/** In the order of docs/performance.md. */
export const growthRows: readonly GrowthRow[] = [
  openToolboxes,
  manyToolboxesJoin,
  manyToolboxesList,
  configFaults,
  runOfSteps,
  memorySearch,
  memoryWait,
  firstSymbol,
  symbolMemory,
  firstFind,
  firstFindWait,
  largeText,
  largeRows,
  largeArguments,
];
