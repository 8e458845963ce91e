import { definePlugin, type Host } from '@nexus/plugin-sdk';
import { Catalogue } from './catalogue/catalogue.ts';
import { workflowsOptions } from './options.ts';
import { graphRun } from './runs/graph-run.ts';
import { workflowRun } from './runs/workflow-run.ts';
import type { WorkflowsState } from './state.ts';
import { listWorkflows } from './tools/list-workflows.ts';
import { runGraphWorkflow } from './tools/run-graph-workflow.ts';
import { runWorkflow } from './tools/run-workflow.ts';

export default definePlugin({
  name: 'workflows',
  options: workflowsOptions,
  tools: [listWorkflows, runGraphWorkflow, runWorkflow],
  runs: [graphRun, workflowRun],
  async start(options, host: Host): Promise<WorkflowsState> {
    return { options, catalogue: new Catalogue(host) };
  },
  async stop() {},
});
