import { existsSync } from 'node:fs';
import { definePlugin, type Host, retiredRun } from '@nexus/plugin-sdk';
import { Catalogue } from './catalogue/catalogue.ts';
import { devPipelineRunsBefore } from './dev-pipeline/dev-run.ts';
import { treeTurnRun } from './dev-pipeline/turn-run.ts';
import { workflowsOptions } from './options.ts';
import { stagesRun } from './pipeline/stages-run.ts';
import { checkChangeRun } from './proof/check-change-run.ts';
import { keptRun } from './proof/kept-run.ts';
import { proveRun } from './proof/prove-run.ts';
import { openRoom } from './reading/room.ts';
import { branchGroundRun } from './spec/branch-ground-run.ts';
import { specWorkRun } from './spec/work-run.ts';
import type { WorkflowsState } from './state.ts';
import { executeSpec } from './tools/execute-spec.ts';
import { listWorkflows } from './tools/list-workflows.ts';
import { runDevPipeline } from './tools/run-dev-pipeline.ts';
import { runGraphWorkflow } from './tools/run-graph-workflow.ts';
import { runPipeline } from './tools/run-pipeline.ts';
import { runWorkflow } from './tools/run-workflow.ts';
import { removeLeftovers } from './worktree/leftovers.ts';
import { WORKTREES, worktreesIn } from './worktree/place.ts';

/** For whoever shows what they answer. */
export type { listWorkflows, runWorkflow };

/** What runs left that have ended since, their process gone before it could: beside the work that is asked for. */
function sweep(host: Host): void {
  if (!existsSync(worktreesIn(host.dataDir))) return;
  removeLeftovers(host, host.signal).catch((error: unknown) => {
    if (!host.signal.aborted)
      host.log.warn('what ended runs left was not looked at', { error: String(error) });
  });
}

/** Each did other steps. */
const RETIRED = [
  { name: 'workflows.prove', version: 1 },
  { name: 'workflows.dev-pipeline', version: 1 },
  { name: 'workflows.spec', version: 1 },
  { name: 'workflows.spec', version: 2 },
  { name: 'workflows.spec', version: 3 },
  { name: 'workflows.spec', version: 4 },
  { name: 'workflows.spec', version: 5 },
  { name: 'workflows.spec-work', version: 1 },
  { name: 'workflows.spec-work', version: 2 },
  { name: 'workflows.spec-work', version: 3 },
];

export default definePlugin({
  name: 'workflows',
  options: workflowsOptions,
  tools: [executeSpec, listWorkflows, runDevPipeline, runGraphWorkflow, runPipeline, runWorkflow],
  runs: [
    ...devPipelineRunsBefore,
    checkChangeRun,
    keptRun,
    branchGroundRun,
    proveRun,
    specWorkRun,
    stagesRun,
    treeTurnRun,
    ...RETIRED.map(retiredRun),
  ],
  leaves: WORKTREES,
  async start(options, host: Host): Promise<WorkflowsState> {
    const room = openRoom(host.workers);
    sweep(host);
    return { options, catalogue: new Catalogue(host, room), room };
  },
  async stop() {},
});
