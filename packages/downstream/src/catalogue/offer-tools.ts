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
  /** As the config renames it, if it does. */
  readonly name: string;
  /** What it is asked for by whole: in front, what it would be registered by. */
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
  const heldBack = new Set(read.flatMap((each) => each.held));
  // A tool that is held back keeps its name, so that nobody who asks for it by that gets another.
  const { names, clashes } = registeredNames(toolbox, origins);
  const tools: OfferedTool[] = [];
  const held: HeldTool[] = [];
  for (const origin of origins) {
    const name = names.get(origin);
    if (!name) continue;
    if (heldBack.has(origin)) held.push(heldTool(toolbox.name, origin, name.registered));
    else tools.push(new OfferedTool(toolbox.name, origin, { ...name, register }));
  }
  const faults = clashes.map(({ origin, holder }) => ({
    server: origin.server,
    tool: origin.name,
    reason: `it is named ${names.get(origin)?.registered} here, since server "${holder}" has a tool of this name too, and without a prefix only one can bear it; rename one under tools of its server for a name of your own`,
  }));
  tools.sort((a, b) => (a.catalogued.registeredName < b.catalogued.registeredName ? -1 : 1));
  return { tools, faults: [...read.flatMap((each) => each.faults), ...faults], held };
}

function heldTool(toolbox: string, { server, name, listed }: ToolOrigin, registered: string): HeldTool {
  const whole = [name, listed.name].map((each) => [toolbox, server, each].join('__'));
  return { server, tool: listed.name, name, names: [...new Set([registered, ...whole])] };
}

/** The tools of one server that pass its filters, also those that are not as they were pinned. */
function readServer(from: OfferedServer, known: KnownList) {
  const { server, settings } = from;
  const faults: ToolboxFault[] = known.faults.map((fault) => ({ server, ...fault }));
  const isWanted = filterOf(settings, known, (reason) => faults.push({ server, reason }));
  const wanted = known.tools.filter(({ name }) => isWanted(name));
  const taken = new Set(
    wanted.map(({ name }) => name).filter((name) => overrideOf(settings.tools, name).name === undefined),
  );
  const origins = wanted.flatMap((listed): ToolOrigin[] => {
    const { name: originalName } = listed;
    const { name = originalName, description } = overrideOf(settings.tools, originalName);
    if (name !== originalName && taken.has(name)) {
      const reason = `the config renames it to ${name}, which the server has already; choose another name`;
      faults.push({ server, tool: originalName, reason });
      return [];
    }
    taken.add(name);
    if (known.pending.has(originalName)) {
      faults.push({ server, tool: originalName, reason: heldBackReason([originalName]) });
    }
    return [{ from, server, name, listed, description, patterns: known.patterns }];
  });
  return { origins, faults, held: origins.filter(({ listed }) => known.pending.has(listed.name)) };
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
