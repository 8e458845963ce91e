import type { ToolListing } from '@nexus/core';
import { ANSWER_MS, endsWithin } from '@nexus/core';
import {
  DENIED_META_KEY,
  EVERY_TOOL_META_KEY,
  TOOL_META_KEY,
  type Unlisted,
  WITHHELD_META_KEY,
} from '@nexus/server';
import type { Client } from './connect-to-nexus.ts';
import { everyToolbox } from './every-toolbox.ts';
import { readTool } from './read-tool.ts';

/** A tool as people are shown it: also one that hosts do not see in their list. */
export interface KnownTool {
  /** As `tools/list` serves it. */
  readonly listing: ToolListing;
  readonly plugin: string;
  readonly isListed: boolean;
  /** Why hosts do not see it, where they don't. */
  readonly unlistedFor?: Unlisted;
}

export interface KnownTools {
  readonly tools: readonly KnownTool[];
  /** Why a tool that there is is not offered, by name. */
  readonly withheld: Readonly<Record<string, string>>;
  /** Why a tool may not be called, by name; of no list, but for whoever asks for it by that. */
  readonly denied: Readonly<Record<string, string>>;
}

export async function everyTool(client: Client): Promise<KnownTools> {
  const answer = await client.request(
    'tools/list',
    { _meta: { [EVERY_TOOL_META_KEY]: true } },
    { signal: endsWithin(ANSWER_MS) },
  );
  const meta = answer._meta as {
    [WITHHELD_META_KEY]: KnownTools['withheld'];
    // A server of an older version names none.
    [DENIED_META_KEY]?: KnownTools['denied'];
  };
  return {
    withheld: meta[WITHHELD_META_KEY],
    denied: meta[DENIED_META_KEY] ?? {},
    tools: (answer.tools as ToolListing[]).map(({ _meta, ...listing }) => {
      const { [TOOL_META_KEY]: known, ...own } = _meta as { [TOOL_META_KEY]: Omit<KnownTool, 'listing'> };
      return { listing: Object.keys(own).length > 0 ? { ...listing, _meta: own } : listing, ...known };
    }),
  };
}

/**
 * The tool that a person means: one that the session has, or one of a toolbox, which is opened for that.
 * @returns undefined for a name that nothing bears; the server says which are near
 */
export async function findTool(client: Client, name: string): Promise<KnownTool | undefined> {
  const { tools } = await everyTool(client);
  const has = (wanted: string) => tools.find(({ listing }) => listing.name === wanted);
  const known = has(name);
  if (known || !has('list_toolboxes') || !has('open_toolbox')) return known;
  const toolboxes = await toolboxesWith(client, name);
  // Held back, or denied: no tool that another toolbox has by that name is called in its place.
  if ((await everyTool(client)).denied[name] !== undefined) return undefined;
  for (const toolbox of toolboxes) {
    await readTool(client, 'open_toolbox', { toolbox });
    const opened = (await everyTool(client)).tools.find(({ listing }) => listing.name === name);
    if (opened) return opened;
  }
  return undefined;
}

/** Those whose name begins the tool's, as `toolbox open` prints it; else those that a search finds it in. */
async function toolboxesWith(client: Client, name: string): Promise<readonly string[]> {
  const toolboxes = await everyToolbox(client);
  const prefixes = toolboxes.filter((toolbox) => name.startsWith(`${safe(toolbox.name)}__`));
  if (prefixes.length > 0 || toolboxes.length === 0) return prefixes.map((toolbox) => toolbox.name);
  const { hits } = await readTool(client, 'find_tools', {
    queries: [name.slice(0, 200)],
  });
  return [...new Set(hits.filter(({ tool }) => tool === name).map(({ toolbox }) => toolbox))];
}

/** As registered names have it. */
function safe(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/gu, '_');
}
