import type { Log } from '@nexus/plugin-sdk';
import { isToolError, ToolError } from '@nexus/plugin-sdk';
import type { Nexus } from '../boot/boot.ts';
import type { OwnCalls } from '../boot/own-calls.ts';
import { type SchedulePart, scheduleParts } from '../trust/schedule-part.ts';
import { isAnyoneTrusted } from '../trust/trust.ts';
import { untrusted } from '../trust/trust-record.ts';
import { LOOK_MS, lookAgain } from './look-again.ts';
import type { ScheduledWorkflow } from './scheduler.ts';

/** Runs the project's workflows at their times from now on. @returns what ends it */
export function startSchedules({ nexus, projectRoot, log }: { nexus: Nexus; projectRoot: string; log: Log }) {
  const { own, store } = nexus;
  return lookAgain(
    async () => {
      const trusted = trustedSchedules(projectRoot);
      if (trusted.length === 0) return LOOK_MS;
      // Most projects have none, and load nothing of this.
      const { beginDue } = await import('./scheduler.ts');
      return beginDue({
        store,
        log,
        trusted,
        list: () => listScheduled(own),
        start: (...run) => start(own, ...run),
      });
    },
    { onFault: (error) => log.warn('schedules could not be looked at; they will be again', { err: error }) },
  );
}

async function listScheduled(own: OwnCalls): Promise<readonly ScheduledWorkflow[]> {
  const { structuredContent, isError } = await own.call('list_workflows', { format: 'names' });
  if (isError) throw new ToolError('NEXUS_UNAVAILABLE', 'list_workflows does not answer.');
  const { workflows } = structuredContent as { workflows: readonly Partial<ScheduledWorkflow>[] };
  return workflows.filter(isScheduled);
}

async function start(own: OwnCalls, workflow: ScheduledWorkflow, key: string): Promise<void> {
  const { file, digest, kind, schedule } = workflow;
  const { inputs } = schedule;
  try {
    if (kind === 'workflow') await own.start('run_workflow', { template: file, digest, inputs }, key);
    else await own.start('run_graph_workflow', { workflow: file, digest, inputs }, key);
  } catch (error) {
    // It was begun for that time, of the file as it was then.
    if (!isToolError(error) || error.code !== 'NEXUS_CONFLICT') throw error;
  }
}

/** Those that the user trusts as they stand. */
function trustedSchedules(projectRoot: string): SchedulePart[] {
  const parts = scheduleParts(projectRoot);
  if (parts.length === 0 || isAnyoneTrusted(process.env)) return parts;
  const waiting = new Set(untrusted(parts).map(({ name }) => name));
  return parts.filter(({ name }) => !waiting.has(name));
}

function isScheduled(workflow: Partial<ScheduledWorkflow>): workflow is ScheduledWorkflow {
  return workflow.file !== undefined && workflow.digest !== undefined && workflow.schedule !== undefined;
}
