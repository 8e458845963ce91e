import type { Measure } from './figure.ts';
import { codeSearch } from './measures/code-search.ts';
import { downstream } from './measures/downstream.ts';
import { http } from './measures/http.ts';
import { listTokens } from './measures/list-tokens.ts';
import { sharing } from './measures/sharing.ts';
import { startUp } from './measures/start-up.ts';
import { stdioCall } from './measures/stdio-call.ts';

/** In the order of docs/performance.md. */
export const measures: readonly Measure[] = [
  startUp,
  stdioCall,
  sharing,
  downstream,
  http,
  codeSearch,
  listTokens,
];
