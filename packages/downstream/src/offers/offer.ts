import type { RegisteredTool } from '@nexus/core';
import type { Definition } from '../definitions/read-definitions.ts';
import type { KnownLists } from '../lists/known-lists.ts';
import { type ListAddress, type OfferedServer, offeredServer } from '../server-address.ts';
import type { ToolboxSettings } from '../settings.ts';
import { stableHash } from '../stable-hash.ts';
import { type OfferedTools, offerTools, type ToolOrigin } from './offer-tools.ts';

/** A toolbox with the settings of some host, shared by the sessions that have equal ones. */
export interface Offer {
  readonly toolbox: string;
  /** The same for equal settings. */
  readonly key: string;
  readonly settings: ToolboxSettings;
  /** In the order of the config. */
  readonly servers: readonly OfferedServer[];
  /** Of the servers whose lists are known; made anew when one of them changes. */
  tools(): OfferedTools;
  /** Another one for other tools. */
  version(): string;
}

export interface Offers {
  of(toolbox: string, settings: ToolboxSettings): Offer;
  /** Forgets all others. */
  keep(used: readonly Offer[]): void;
  /** Forgets what was made of this list. */
  changed(address: ListAddress): void;
}

export function createOffers(
  lists: KnownLists,
  register: (origin: ToolOrigin, listing: Definition) => RegisteredTool,
): Offers {
  const offers = new Map<string, Offer & { forget(): void }>();
  let versions = 0;

  function create(toolbox: string, key: string, settings: ToolboxSettings) {
    const servers = Object.entries(settings.mcpServers).map(([server, each]) =>
      offeredServer(toolbox, server, each),
    );
    let made: { readonly tools: OfferedTools; readonly version: string } | undefined;
    const make = () => {
      const known = servers.flatMap((from) => {
        const list = lists.get(from);
        return list ? [{ from, known: list }] : [];
      });
      versions += 1;
      made ??= {
        tools: offerTools({ name: toolbox, prefix: settings.prefix }, known, register),
        version: String(versions),
      };
      return made;
    };
    return {
      toolbox,
      key,
      settings,
      servers,
      tools: () => (made ?? make()).tools,
      version: () => (made ?? make()).version,
      forget() {
        made = undefined;
      },
    };
  }

  return {
    of(toolbox, settings) {
      const key = stableHash([toolbox, settings]);
      const offer = offers.get(key) ?? create(toolbox, key, settings);
      offers.set(key, offer);
      return offer;
    },
    keep(used) {
      const keys = new Set(used.map(({ key }) => key));
      for (const key of offers.keys()) if (!keys.has(key)) offers.delete(key);
    },
    changed({ toolbox, server }) {
      for (const offer of offers.values()) {
        if (offer.toolbox === toolbox && offer.servers.some((each) => each.server === server)) offer.forget();
      }
    },
  };
}
