import type { Registry } from '@nexus/core';
import type { SessionScope } from '@nexus/plugin-sdk';

/** A `tools/list` with this in its `_meta` is for people: it names what a host's list leaves out, too. */
export const EVERY_TOOL_META_KEY = 'nexus/every';
/** In each such tool's `_meta`: its plugin, and whether `tools/list` shows it. */
export const TOOL_META_KEY = 'nexus/tool';
/** In the `_meta` of such an answer: why a tool that there is is not offered, by name. */
export const WITHHELD_META_KEY = 'nexus/withheld';

/** Every tool that the session may call, listed or not, and what is withheld. */
export function everyTool(registry: Registry, session: SessionScope, hasModel = true) {
  const listed = new Set(registry.listed(session, hasModel));
  return {
    _meta: { [WITHHELD_META_KEY]: Object.fromEntries(registry.withheld) },
    tools: registry.list(session).map((tool) => ({
      ...tool.listing,
      _meta: {
        ...Object(tool.listing._meta),
        [TOOL_META_KEY]: { plugin: tool.plugin, isListed: listed.has(tool) },
      },
    })),
  };
}
