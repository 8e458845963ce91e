import { hintFaults } from '../annotations/hints.ts';
import type { RegisteredTool } from './registered-tool.ts';
import { RegistrationError } from './registration-error.ts';

const TOOL_NAME = /^[a-z][a-z0-9_]{0,47}$/;

/** All tools by name. Lists come sorted by name: prompt caches of hosts depend on a stable order. */
export interface Registry {
  /** @throws {RegistrationError} bad name, duplicate, missing or contradictory hints, no JSON Schema */
  register(tool: RegisteredTool): void;
  unregister(name: string): boolean;
  /** A tool that only this session sees, such as one of a toolbox it opened. */
  registerForSession(sessionId: string, tool: RegisteredTool): void;
  endSession(sessionId: string): void;
  get(name: string, sessionId?: string): RegisteredTool | undefined;
  list(sessionId?: string): readonly RegisteredTool[];
  /** Calls back with the session whose list changed, or undefined when every session's did. */
  onChange(listener: (sessionId: string | undefined) => void): () => void;
}

export function createRegistry(): Registry {
  const shared = new Map<string, RegisteredTool>();
  const perSession = new Map<string, Map<string, RegisteredTool>>();
  const listeners = new Set<(sessionId: string | undefined) => void>();
  const changed = (sessionId?: string) => {
    for (const listener of listeners) listener(sessionId);
  };
  const get = (name: string, sessionId?: string) =>
    shared.get(name) ?? (sessionId === undefined ? undefined : perSession.get(sessionId)?.get(name));
  return {
    register(tool) {
      assertSound(tool);
      if (!TOOL_NAME.test(tool.name)) {
        throw fault(tool, `its name must match ${TOOL_NAME.source}; rename it`);
      }
      assertFree(tool, shared.get(tool.name));
      assertListable(tool);
      shared.set(tool.name, tool);
      changed();
    },
    unregister(name) {
      const found = shared.delete(name);
      if (found) changed();
      return found;
    },
    registerForSession(sessionId, tool) {
      assertFree(tool, get(tool.name, sessionId));
      const own = perSession.get(sessionId) ?? new Map<string, RegisteredTool>();
      perSession.set(sessionId, own.set(tool.name, tool));
      changed(sessionId);
    },
    endSession(sessionId) {
      perSession.delete(sessionId);
    },
    get,
    list(sessionId) {
      const own = sessionId === undefined ? undefined : perSession.get(sessionId);
      // Shared names win, as in get: a plugin's tool may come to bear the name of a session's own.
      return [...new Map([...(own ?? []), ...shared]).values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function assertSound(tool: RegisteredTool): void {
  const faults = hintFaults(tool.hints);
  if (faults.length > 0) throw fault(tool, faults.join('; '));
}

/** Found here and not by the first client that lists: one such tool would cost it all the others. */
function assertListable(tool: RegisteredTool): void {
  try {
    void tool.listing;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw fault(tool, `its schemas can’t be stated as JSON Schema (${why}); use types that JSON has`);
  }
}

function assertFree(tool: RegisteredTool, holder: RegisteredTool | undefined): void {
  if (holder) throw fault(tool, `plugin "${holder.plugin}" has a tool of that name already; rename one`);
}

function fault(tool: RegisteredTool, what: string): RegistrationError {
  return new RegistrationError(`plugin "${tool.plugin}", tool "${tool.name}": ${what}`);
}
