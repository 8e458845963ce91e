import { endsWithin, isRecord, LONGEST_MS } from '@nexus/core';
import type { busStatus, taskStatus } from '@nexus/plugin-bus';
import type { tellOutcome } from '@nexus/plugin-consensus';
import type { vendorPublishingAudit } from '@nexus/plugin-feeds';
import type { listJobs } from '@nexus/plugin-observability';
import type {
  researchAdd,
  researchAddSource,
  researchCatalogReview,
  researchQuery,
} from '@nexus/plugin-research';
import type { ToolCallResult } from '@nexus/plugin-sdk';
import type { findTools, listToolboxes, openToolbox } from '@nexus/plugin-toolboxes';
import type { listWorkflows, runWorkflow } from '@nexus/plugin-workflows';
import type { z } from 'zod';
import type { Client } from './connect-to-nexus.ts';

/** The tools whose answers commands read, as their plugins define them: nothing of them is said again here. */
interface ReadTools {
  readonly bus_status: typeof busStatus;
  readonly find_tools: typeof findTools;
  readonly list_jobs: typeof listJobs;
  readonly list_toolboxes: typeof listToolboxes;
  readonly list_workflows: typeof listWorkflows;
  readonly open_toolbox: typeof openToolbox;
  readonly research_add: typeof researchAdd;
  readonly research_add_source: typeof researchAddSource;
  readonly research_catalog_review: typeof researchCatalogReview;
  readonly research_query: typeof researchQuery;
  readonly run_workflow: typeof runWorkflow;
  readonly task_status: typeof taskStatus;
  readonly tell_outcome: typeof tellOutcome;
  readonly vendor_publishing_audit: typeof vendorPublishingAudit;
}

export type ToolAnswer<Name extends keyof ReadTools> = z.output<ReadTools[Name]['output']>;

/** As a person wrote them: the tool judges what they may be. */
type ToolArguments<Name extends keyof ReadTools> = {
  readonly [Key in keyof z.input<ReadTools[Name]['input']>]?: unknown;
};

/** What a tool answered that failed, in its own words. */
export class RefusedError extends Error {
  readonly code: unknown;

  constructor({ content, _meta }: ToolCallResult) {
    super(content.map((block) => block.text ?? '').join('\n'));
    this.name = 'RefusedError';
    const error = _meta?.['nexus/error'];
    this.code = isRecord(error) ? error.code : undefined;
  }
}

/**
 * Calls a tool for its structured answer.
 * @throws {RefusedError} when it fails
 */
export async function readTool<Name extends keyof ReadTools>(
  client: Client,
  name: Name,
  args: ToolArguments<Name>,
  onProgress?: (report: Readonly<Record<string, unknown>>) => void,
): Promise<ToolAnswer<Name>> {
  const result = (await client.request(
    'tools/call',
    { name, arguments: args },
    { signal: endsWithin(LONGEST_MS), ...(onProgress && { onProgress }) },
  )) as unknown as ToolCallResult;
  if (result.isError) throw new RefusedError(result);
  // The server has checked it against the tool's output schema.
  return result.structuredContent as ToolAnswer<Name>;
}
