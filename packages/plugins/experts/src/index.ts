import { definePlugin, retiredRun } from '@nexus/plugin-sdk';
import { createdExperts } from './created/created-experts.ts';
import { retention } from './created/retention.ts';
import { expertsOptions } from './options.ts';
import { orchestrateRunsBefore } from './orchestration/orchestrate-run.ts';
import { workRun } from './orchestration/work-run.ts';
import { experts } from './resources/experts.ts';
import type { ExpertsState } from './state.ts';
import { createExpert } from './tools/create-expert.ts';
import { delegateToModel } from './tools/delegate-to-model.ts';
import { executeExpert } from './tools/execute-expert.ts';
import { listExperts } from './tools/list-experts.ts';
import { orchestrate } from './tools/orchestrate.ts';
import { registryImport } from './tools/registry-import.ts';
import { weatherReport } from './tools/weather-report.ts';
import { turnRunsBefore } from './turn/turn-run.ts';

/** Each did other steps. */
const RETIRED = [
  { name: 'experts.orchestrate', version: 1 },
  { name: 'experts.work', version: 1 },
  { name: 'experts.work', version: 2 },
  // Read files beside the tools, so that nobody knew what it was given.
  { name: 'experts.turn', version: 3 },
];

export default definePlugin({
  name: 'experts',
  options: expertsOptions,
  retention,
  tools: [
    createExpert,
    delegateToModel,
    executeExpert,
    listExperts,
    orchestrate,
    registryImport,
    weatherReport,
  ],
  resources: [experts],
  runs: [...orchestrateRunsBefore, ...turnRunsBefore, workRun, ...RETIRED.map(retiredRun)],
  async start(options, { store }): Promise<ExpertsState> {
    return { options, created: createdExperts(store) };
  },
  async stop() {},
});
