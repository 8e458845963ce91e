import { isRecord, type RegisteredTool, type TaskSupport, type ToolListing } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';
import type { Log, Spans, ToolCallResult } from '@nexus/plugin-sdk';
import { definitionOf, type ToolOrigin } from '../catalogue/tool-origin.ts';
import { originName, withOrigin } from '../definitions/origin-name.ts';
import type { Definition } from '../definitions/read-definitions.ts';
import { toolHints } from '../definitions/tool-hints.ts';
import type { Lease } from '../leases/lease.ts';
import { schemaCheck } from '../schema/schema-check.ts';
import { isElsewhere, type OfferedServer } from '../server-address.ts';
import type { LearntShapes, ShapedTool } from '../shapes/learnt-shapes.ts';
import { type CalledTool, callTool } from './call-tool.ts';

export interface RelayOptions {
  lease(server: OfferedServer, sessionId: string): Lease;
  readonly log: Log;
  /** Where calls tell how they went; by default nowhere. */
  readonly spans?: Spans | undefined;
  /** Looks at results whose schema the server does not state; by default nobody does. */
  readonly shapes?: Pick<LearntShapes, 'learn'> | undefined;
}

/** A server's tool as one that can be registered: its definition as served, its calls passed on. */
export function relayedTool(
  of: ToolOrigin,
  listing: Definition,
  { lease, log, spans, shapes }: RelayOptions,
): RegisteredTool {
  const { from, name, patterns } = of;
  const { name: originalName } = of.listed;
  const { toolbox, server, settings } = from;
  const definition = definitionOf(of);
  const hints = toolHints(definition.annotations);
  const support = taskSupport(definition);
  const tool: CalledTool = {
    from,
    name: originalName,
    hints,
    needsTask: support === 'required',
    lease: (sessionId) => lease(from, sessionId),
    spans,
  };
  const origin = originName(toolbox, server, originalName);
  const sound = withOrigin(listing as ToolListing, origin); // checked when the list was read
  const served = definition as ToolListing; // what arguments and answers are held to
  const input = schemaCheck(served.inputSchema, {
    patterns,
    onUnusable: (reason) =>
      log.warn('a tool’s arguments are passed on unchecked', { toolbox, server, tool: originalName, reason }),
  });
  const shaped: ShapedTool = { toolbox, server, tool: name, definition: { ...definition, name } };
  const learn =
    definition.outputSchema === undefined && shapes
      ? (result: ToolCallResult, user: string | undefined) => shapes.learn(shaped, result, user)
      : undefined;
  const output = schemaCheck(served.outputSchema ?? {}, { patterns, onUnusable() {} });
  return {
    name: sound.name,
    origin,
    plugin: `${toolbox}/${server}`,
    listing: sound,
    hints,
    isElsewhere: isElsewhere(settings.url),
    budget: 'model',
    budgetMs: settings.timeoutMs,
    isLong: false,
    // One that runs as a task only is waited for here, so that hosts without tasks can call it too.
    taskSupport: support === 'required' ? 'optional' : support,
    requires: [],
    validate(args) {
      const checked = input.check(args);
      return checked.ok ? { ok: true, value: new CheckedArguments(args, checked.unchecked) } : checked;
    },
    fits: input.fits,
    fitsOutput: (structure) => isRecord(structure) && output.check(structure).ok,
    run(value, context) {
      if (!(value instanceof CheckedArguments)) throw new TypeError('these arguments were never validated');
      const { args, unchecked } = value;
      const called = callTool(tool, args, context);
      if (learn)
        called.then(
          (result) => learn(result, context.user),
          () => {},
        );
      return unchecked === undefined ? called : called.then((result) => withNote(result, unchecked));
    },
  };
}

/** What `validate` hands to `run`. */
class CheckedArguments {
  readonly args: Members;
  /** Why not all of the schema was looked at. */
  readonly unchecked: string | undefined;

  constructor(args: Members, unchecked: string | undefined) {
    this.args = args;
    this.unchecked = unchecked;
  }
}

/** Says to the caller what was not checked here; the server has judged the arguments itself. */
function withNote(result: ToolCallResult, unchecked: string): ToolCallResult {
  return { ...result, _meta: { ...result._meta, 'nexus/unchecked': unchecked } };
}

function taskSupport({ execution }: Definition): TaskSupport {
  const support = isRecord(execution) ? execution.taskSupport : undefined;
  return support === 'optional' || support === 'required' ? support : 'forbidden';
}
