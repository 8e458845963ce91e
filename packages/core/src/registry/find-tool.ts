import { nearestNames, type SessionScope, ToolError } from '@nexus/plugin-sdk';
import { invalidParams } from '../errors/protocol-error.ts';
import type { RegisteredTool } from './registered-tool.ts';
import type { Registry } from './registry.ts';

/** Enough to recognise what was sent, however long it was. */
const MAX_NAME_CHARS = 100;

/**
 * @throws {ProtocolError} -32602 naming the nearest tools that the session sees
 * @throws {ToolError} NEXUS_CONFLICT for one that is held back
 */
export function findTool(registry: Registry, name: unknown, session: SessionScope): RegisteredTool {
  if (typeof name !== 'string') throw invalidParams('tools/call needs params.name, the name of a tool');
  const tool = registry.get(name, session);
  if (tool) return tool;
  const why = registry.withheld.get(name);
  if (why !== undefined) throw invalidParams(`Unknown tool: ${name}; ${why}`);
  const held = registry.heldBack(session).get(name);
  if (held !== undefined) throw new ToolError('NEXUS_CONFLICT', held);
  const nearest = nearestNames(
    name,
    registry.list(session).map((each) => each.name),
  );
  const hint = nearest.length > 0 ? `did you mean ${nearest.join(' or ')}?` : registry.whereOthersAre();
  throw invalidParams(`Unknown tool: ${name.slice(0, MAX_NAME_CHARS)}; ${hint}`, { nearest });
}

/**
 * The tool whose calls are runs of a kind.
 * @throws {ToolError} NEXUS_CONFLICT where the session sees none
 */
export function toolOfRun(
  registry: Registry,
  { runId, kind }: { readonly runId: string; readonly kind: string },
  session: SessionScope,
): RegisteredTool {
  const tool = registry.list(session).find(({ runKind }) => runKind === kind);
  if (tool) return tool;
  const text = `Run ${runId} is a ${kind}, and no tool here answers for such a run. The runs that a job began, or that began it, stand in nexus://runs/${runId}: those can be resumed.`;
  throw new ToolError('NEXUS_CONFLICT', text, { detail: { runId, kind } });
}
