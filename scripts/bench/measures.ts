import type { Measure } from './figure.ts';
import { auditVerify } from './measures/audit-verify.ts';
import { bus } from './measures/bus.ts';
import { chat } from './measures/chat.ts';
import { codeSearch } from './measures/code-search.ts';
import { downstream } from './measures/downstream.ts';
import { durableRuns } from './measures/durable-runs.ts';
import { findTools } from './measures/find-tools.ts';
import { http } from './measures/http.ts';
import { listTokens } from './measures/list-tokens.ts';
import { manyHosts } from './measures/many-hosts.ts';
import { records } from './measures/records.ts';
import { sharing } from './measures/sharing.ts';
import { startUp } from './measures/start-up.ts';
import { stdioCall } from './measures/stdio-call.ts';
import { takeOver } from './measures/take-over.ts';
import { workflow } from './measures/workflow.ts';

/** In the order of docs/performance.md. */
export const measures: readonly Measure[] = [
  startUp,
  stdioCall,
  records,
  auditVerify,
  sharing,
  downstream,
  manyHosts,
  http,
  codeSearch,
  findTools,
  listTokens,
  durableRuns,
  takeOver,
  bus,
  workflow,
  chat,
];
