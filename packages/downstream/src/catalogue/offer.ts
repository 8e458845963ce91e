import type { NamedTool, RegisteredTool } from '@nexus/core';
import type { CataloguedTool } from '@nexus/plugin-sdk';
import { stableHash } from '@nexus/primitives';
import type { Definition } from '../definitions/read-definitions.ts';
import { type OfferedServer, offeredServer } from '../server-address.ts';
import type { ToolboxSettings } from '../settings.ts';
import type { KnownList, KnownLists } from './known-lists.ts';
import { type OfferedTools, offerTools } from './offer-tools.ts';
import type { ToolOrigin } from './tool-origin.ts';

/** A toolbox with the settings of some host, shared by the sessions that have equal ones. */
export interface Offer {
  readonly toolbox: string;
  /** The same for equal settings. */
  readonly key: string;
  readonly settings: ToolboxSettings;
  /** In the order of the config. */
  readonly servers: readonly OfferedServer[];
  /** Of the servers whose lists are known; made anew when one of them is another. */
  tools(): OfferedTools;
  /** As they are found and shown: without those that the config denies. */
  inSight(): readonly CataloguedTool[];
  /** How many of those a server has. */
  countOf(server: string): number;
  /** The same for the same tools, after a restart too. */
  version(): string;
}

export interface Offering {
  readonly lists: Pick<KnownLists, 'get'>;
  /** Whether a tool may be called. */
  permits(tool: NamedTool): boolean;
  /** A tool as one that can be registered. */
  relay(origin: ToolOrigin, listing: Definition): RegisteredTool;
}

export function createOffer(
  { toolbox, key, settings }: Pick<Offer, 'toolbox' | 'key' | 'settings'>,
  { lists, permits, relay }: Offering,
): Offer {
  const servers = Object.entries(settings.mcpServers).map(([server, each]) =>
    offeredServer(toolbox, server, each),
  );
  let made: Made | undefined;
  /** Made of the lists as they are: whoever asks finds out by himself that one is another. */
  const current = (): Made => {
    const known = servers.map((server) => lists.get(server));
    if (made && known.every((list, at) => list === made?.of[at])) return made;
    const listed = servers.flatMap((from, at) => {
      const list = known[at];
      return list ? [{ from, known: list }] : [];
    });
    const tools = offerTools({ name: toolbox, prefix: settings.prefix }, listed, relay);
    const inSight: CataloguedTool[] = [];
    const counts = new Map<string, number>();
    const denied: string[] = [];
    for (const { named, catalogued } of tools.tools) {
      if (!permits(named)) {
        denied.push(named.name);
        continue;
      }
      inSight.push(catalogued);
      counts.set(catalogued.server, (counts.get(catalogued.server) ?? 0) + 1);
    }
    made = { of: known, tools, inSight, counts, version: versionOf({ toolbox, settings }, listed, denied) };
    return made;
  };
  return {
    toolbox,
    key,
    settings,
    servers,
    tools: () => current().tools,
    inSight: () => current().inSight,
    countOf: (server) => current().counts.get(server) ?? 0,
    version: () => current().version,
  };
}

interface Made {
  readonly of: readonly (KnownList | undefined)[];
  readonly tools: OfferedTools;
  readonly inSight: readonly CataloguedTool[];
  readonly counts: ReadonlyMap<string, number>;
  readonly version: string;
}

/** Of all that tells which tools are offered, and as what. */
function versionOf(
  { toolbox, settings }: Pick<Offer, 'toolbox' | 'settings'>,
  listed: readonly { readonly from: OfferedServer; readonly known: KnownList }[],
  denied: readonly string[],
): string {
  const lists = listed.map(({ from: { server, settings }, known: { hash, pending } }) => {
    const { toolFilters, tools } = settings;
    return { server, toolFilters, tools, hash, pending: [...pending] };
  });
  return stableHash({ toolbox, prefix: settings.prefix, lists, denied });
}
