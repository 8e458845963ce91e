import type { RegisteredTool } from '@nexus/core';
import type { ToolboxFault } from '@nexus/plugin-sdk';
import { PatternFault } from '@nexus/untrusted/patterns';
import { nameFilter } from '../definitions/filter-names.ts';
import { heldBackReason } from '../definitions/held-back.ts';
import type { Definition } from '../definitions/read-definitions.ts';
import { registeredNames } from '../definitions/registered-names.ts';
import type { OfferedServer } from '../server-address.ts';
import type { KnownList } from './known-lists.ts';
import { OfferedTool } from './offered-tool.ts';
import type { ToolOrigin } from './tool-origin.ts';

export interface OfferedTools {
  /** In the order of their registered names. */
  readonly tools: readonly OfferedTool[];
  readonly faults: readonly ToolboxFault[];
  readonly held: readonly HeldTool[];
}

/** A tool that is as good as not there until somebody accepts how its server describes it by now. */
export interface HeldTool {
  readonly server: string;
  /** As its server names it. */
  readonly tool: string;
  /** All that it may be asked for by: what it would be registered by, and what it is named by whole. */
  readonly names: readonly string[];
}

/** What a toolbox offers of what its servers list. */
export function offerTools(
  toolbox: { readonly name: string; readonly prefix: boolean },
  servers: readonly { readonly from: OfferedServer; readonly known: KnownList }[],
  register: (origin: ToolOrigin, listing: Definition) => RegisteredTool,
): OfferedTools {
  const read = servers.map(({ from, known }) => readServer(from, known));
  const origins = read.flatMap((each) => each.origins);
  const { names, clashes } = registeredNames(toolbox, origins);
  const tools = origins.flatMap((origin): OfferedTool[] => {
    const name = names.get(origin);
    if (!name) return [];
    return [new OfferedTool(toolbox.name, origin, { ...name, register })];
  });
  const faults = clashes.map(({ origin, holder }) => ({
    server: origin.server,
    tool: origin.name,
    reason: `it is named ${names.get(origin)?.registered} here, since server "${holder}" has a tool of this name too, and without a prefix only one can bear it; rename one under tools of its server for a name of your own`,
  }));
  const held = read.flatMap((each) => each.held).map((origin) => heldTool(toolbox, origin));
  tools.sort((a, b) => (a.catalogued.registeredName < b.catalogued.registeredName ? -1 : 1));
  return { tools, faults: [...read.flatMap((each) => each.faults), ...faults], held };
}

interface HeldOrigin {
  readonly server: string;
  readonly tool: string;
  readonly name: string;
}

function heldTool(toolbox: Parameters<typeof offerTools>[0], { server, tool, name }: HeldOrigin): HeldTool {
  const origin = { server, name };
  const { registered = name } = registeredNames(toolbox, [origin]).names.get(origin) ?? {};
  return { server, tool, names: [...new Set([registered, [toolbox.name, server, tool].join('__')])] };
}

/** The tools of one server that pass its filters and are as they were pinned. */
function readServer(from: OfferedServer, known: KnownList) {
  const { server, settings } = from;
  const faults: ToolboxFault[] = known.faults.map((fault) => ({ server, ...fault }));
  const isWanted = filterOf(settings, known, (reason) => faults.push({ server, reason }));
  const wanted = known.tools.filter(({ name }) => isWanted(name));
  const held: HeldOrigin[] = [];
  const taken = new Set(
    wanted.map(({ name }) => name).filter((name) => overrideOf(settings.tools, name).name === undefined),
  );
  const origins = wanted.flatMap((listed): ToolOrigin[] => {
    const { name: originalName } = listed;
    const { name = originalName, description } = overrideOf(settings.tools, originalName);
    if (known.pending.has(originalName)) {
      faults.push({ server, tool: originalName, reason: heldBackReason([originalName]) });
      held.push({ server, tool: originalName, name });
      return [];
    }
    if (name !== originalName && taken.has(name)) {
      const reason = `the config renames it to ${name}, which the server has already; choose another name`;
      faults.push({ server, tool: originalName, reason });
      return [];
    }
    taken.add(name);
    return [{ from, server, name, listed, description, patterns: known.patterns }];
  });
  return { origins, faults, held };
}

/** Where a filter can't be used nothing passes: nobody knows what it was to leave out. */
export function filterOf(
  { toolFilters }: OfferedServer['settings'],
  { patterns }: KnownList,
  onFault: (reason: string) => void,
): (name: string) => boolean {
  try {
    return nameFilter(toolFilters, patterns);
  } catch (error) {
    if (!(error instanceof PatternFault)) throw error;
    onFault(`none of its tools is offered, since one of its toolFilters can’t be used: ${error.message}`);
    return () => false;
  }
}

function overrideOf(tools: OfferedServer['settings']['tools'], name: string) {
  return (Object.hasOwn(tools, name) ? tools[name] : undefined) ?? {};
}
