import type { RegisteredTool } from '@nexus/core';
import type { CataloguedTool } from '@nexus/plugin-sdk';
import type { Definition } from '../definitions/read-definitions.ts';
import { type OfferedServer, offeredServer } from '../server-address.ts';
import type { ToolboxSettings } from '../settings.ts';
import type { KnownList, KnownLists } from './known-lists.ts';
import { type OfferedTools, offerTools, type ToolOrigin } from './offer-tools.ts';

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
  /** Another one for other tools. */
  version(): string;
}

export interface Offering {
  readonly lists: Pick<KnownLists, 'get'>;
  /** Whether a tool may be called. */
  permits(tool: RegisteredTool): boolean;
  /** A tool as one that can be registered. */
  relay(origin: ToolOrigin, listing: Definition): RegisteredTool;
}

let versions = 0;

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
    versions += 1;
    const tools = offerTools({ name: toolbox, prefix: settings.prefix }, listed, relay);
    made = {
      of: known,
      tools,
      inSight: tools.tools
        .filter(({ registered }) => permits(registered))
        .map(({ catalogued }) => catalogued),
      version: String(versions),
    };
    return made;
  };
  return {
    toolbox,
    key,
    settings,
    servers,
    tools: () => current().tools,
    inSight: () => current().inSight,
    version: () => current().version,
  };
}

interface Made {
  readonly of: readonly (KnownList | undefined)[];
  readonly tools: OfferedTools;
  readonly inSight: readonly CataloguedTool[];
  readonly version: string;
}
