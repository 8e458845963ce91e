import type { RegisteredTool, Registry } from '@nexus/core';
import type { SessionScope } from '@nexus/plugin-sdk';

/** A `tools/list` with this in its `_meta` is for people: it names what a host's list leaves out, too. */
export const EVERY_TOOL_META_KEY = 'nexus/every';
/** In each such tool's `_meta`: its plugin, whether `tools/list` shows it, and why not. */
export const TOOL_META_KEY = 'nexus/tool';
/** In the `_meta` of such an answer: why a tool that there is is not offered, by name. */
export const WITHHELD_META_KEY = 'nexus/withheld';
/** As well: why a tool may not be called, by name, for whoever asks for it by that. */
export const DENIED_META_KEY = 'nexus/denied';

/** Called through `use_tool`, as `toolMode` says; it needs a model, and none was found; `profile: lean` leaves it out. */
export type Unlisted = 'mode' | 'model' | 'profile';

/** Every tool that the session may call, listed or not, and what is withheld. */
export function listEveryTool(registry: Registry, session: SessionScope, hasModel = true) {
  const listed = new Set(registry.listed(session, hasModel));
  const listedWithModel = new Set(registry.listed(session, true));
  const unlistedFor = (tool: RegisteredTool): Unlisted => {
    if (tool.isListed === false) return 'mode';
    return listedWithModel.has(tool) ? 'model' : 'profile';
  };
  return {
    _meta: {
      [WITHHELD_META_KEY]: Object.fromEntries(registry.withheld),
      [DENIED_META_KEY]: Object.fromEntries([...registry.heldBack(session), ...registry.denied(session)]),
    },
    tools: registry.list(session).map((tool) => ({
      ...tool.listing,
      _meta: {
        ...Object(tool.listing._meta),
        [TOOL_META_KEY]: {
          plugin: tool.plugin,
          isListed: listed.has(tool),
          ...(listed.has(tool) ? {} : { unlistedFor: unlistedFor(tool) }),
        },
      },
    })),
  };
}
