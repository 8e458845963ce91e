import { nearestNames, type ToolAddress, ToolError } from '@nexus/plugin-sdk';
import { heldBackError } from '../definitions/held-back.ts';
import type { OfferedServer } from '../server-address.ts';
import type { Offer } from './offer.ts';
import type { OfferedTool } from './offered-tool.ts';

/** @throws {ToolError} NEXUS_NOT_FOUND naming the nearest; NEXUS_CONFIG for one that can't be used */
export function serverOf({ toolbox, servers, settings }: Offer, name: string): OfferedServer {
  const found = servers.find(({ server }) => server === name);
  if (found) return found;
  const fault = settings.faults.find(({ server }) => server === name);
  if (fault) {
    const text = `Server "${name}" of toolbox "${toolbox}" can’t be used: ${fault.reason}`;
    throw new ToolError('NEXUS_CONFIG', text, { detail: { toolbox, server: name } });
  }
  const names = servers.map(({ server }) => server);
  throw notFound(`Toolbox "${toolbox}" has no server "${name}"`, nearestNames(name, names), names);
}

/** By the name that its server or the config gives it, or by the one it is registered by. */
export function findTool(offer: Offer, { server, tool }: ToolAddress): OfferedTool | undefined {
  const tools = offer.tools().tools.filter(({ catalogued }) => catalogued.server === server);
  return (
    tools.find(({ catalogued }) => catalogued.tool === tool) ??
    tools.find(({ catalogued }) => catalogued.registeredName === tool)
  );
}

/** Why the tool is not there: it is held back, was left out, or there is none. */
export function missingTool(offer: Offer, { toolbox, server, tool }: ToolAddress): ToolError {
  const { faults, held } = offer.tools();
  const of = held.find(
    (each) => each.server === server && [each.name, each.tool, ...each.names].includes(tool),
  );
  if (of) return heldBackError({ toolbox, server, tool: of.tool });
  const fault = faults.find((each) => each.server === server && each.tool === tool);
  if (fault) {
    const text = `Tool "${tool}" of server "${server}" in toolbox "${toolbox}" can’t be called: ${fault.reason}`;
    return new ToolError('NEXUS_CONFLICT', text);
  }
  const there = offer.inSight().filter((each) => each.server === server);
  const names = nearestNames(
    tool,
    there.map((each) => each.tool),
  );
  // Whole, so that each passes as it is.
  const nearest = names.flatMap((name) => there.find((each) => each.tool === name)?.registeredName ?? []);
  return notFound(`Server "${server}" of toolbox "${toolbox}" has no tool "${tool}"`, nearest, []);
}

function notFound(what: string, nearest: readonly string[], all: readonly string[]): ToolError {
  const others = all.length > 0 ? `it has ${all.join(', ')}` : 'find_tools searches all of them';
  const hint = nearest.length > 0 ? `did you mean ${nearest.join(' or ')}?` : others;
  return new ToolError('NEXUS_NOT_FOUND', `${what}; ${hint}`, { detail: { nearest } });
}
