import { isRecord, type RegisteredTool, type TaskSupport, type ToolListing } from '@nexus/core';
import type { Log } from '@nexus/plugin-sdk';
import type { Definition } from '../definitions/read-definitions.ts';
import { toolHints } from '../definitions/tool-hints.ts';
import type { Lease } from '../leases/lease.ts';
import type { ToolOrigin } from '../offers/offer-tools.ts';
import { schemaCheck } from '../schema/schema-check.ts';
import type { OfferedServer } from '../server-address.ts';
import { type CalledTool, callTool } from './call-tool.ts';

export interface RelayOptions {
  lease(server: OfferedServer, sessionId: string): Lease;
  readonly log: Log;
}

/** A server's tool as one that can be registered: its definition as served, its calls passed on. */
export function relayedTool(
  { from, originalName, definition }: ToolOrigin,
  listing: Definition,
  { lease, log }: RelayOptions,
): RegisteredTool {
  const { toolbox, server, settings } = from;
  const hints = toolHints(definition.annotations);
  const support = taskSupport(definition);
  const called: CalledTool = {
    from,
    name: originalName,
    hints,
    needsTask: support === 'required',
    lease: (sessionId) => lease(from, sessionId),
  };
  const sound = listing as ToolListing; // checked when the list was read
  const check = schemaCheck(sound.inputSchema, (reason) =>
    log.warn('a tool’s input schema can’t be used; its arguments are passed on unchecked', {
      toolbox,
      server,
      tool: originalName,
      reason,
    }),
  );
  return {
    name: sound.name,
    plugin: `${toolbox}/${server}`,
    listing: sound,
    hints,
    budget: 'model',
    budgetMs: settings.timeoutMs,
    isLong: false,
    // One that runs as a task only is waited for here, so that hosts without tasks can call it too.
    taskSupport: support === 'required' ? 'optional' : support,
    requires: [],
    validate: check.validate,
    fits: check.fits,
    fitsOutput: (structure) =>
      isRecord(structure) && schemaCheck(sound.outputSchema ?? {}, () => {}).validate(structure).ok,
    // What `validate` answered is the arguments.
    run: (value, context) => callTool(called, value as Readonly<Record<string, unknown>>, context),
  };
}

function taskSupport({ execution }: Definition): TaskSupport {
  const support = isRecord(execution) ? execution.taskSupport : undefined;
  return support === 'optional' || support === 'required' ? support : 'forbidden';
}
