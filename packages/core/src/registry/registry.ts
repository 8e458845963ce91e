import { hintFaults } from '../annotations/hints.ts';
import type { RegisteredTool } from './registered-tool.ts';
import { RegistrationError } from './registration-error.ts';

const TOOL_NAME = /^[a-z][a-z0-9_]{0,47}$/;

/** All tools by name. Lists come sorted by name: prompt caches of hosts depend on a stable order. */
export interface Registry {
  /** @throws {RegistrationError} bad name, duplicate, missing or contradictory hints, no JSON Schema */
  register(tool: RegisteredTool): void;
  unregister(name: string): boolean;
  /** Remembers why a tool that there is is not offered, for whoever asks for it by its name. */
  withhold(name: string, why: string): void;
  /** Why, by name. */
  readonly withheld: ReadonlyMap<string, string>;
  /**
   * The tools that this session alone has from one source, such as a toolbox it opened: all of them, in place
   * of what it had from there before.
   * @returns those left out, since the session has another tool of that name
   */
  setForSession(
    sessionId: string,
    source: string,
    tools: readonly RegisteredTool[],
  ): readonly RegisteredTool[];
  endSession(sessionId: string): void;
  /** Also one that may not be called, so that its call is told why. */
  get(name: string, sessionId?: string): RegisteredTool | undefined;
  /** As `get`, of what may be called: what is denied is found by nobody, as it is in no list. */
  inSight(name: string, sessionId?: string): RegisteredTool | undefined;
  /** Whether a tool of this name may be called, wherever it comes from. */
  permits(name: string): boolean;
  /** Every tool that may be called. */
  list(sessionId?: string): readonly RegisteredTool[];
  /** Those that `tools/list` shows. */
  listed(sessionId?: string): readonly RegisteredTool[];
  /** Calls back with the session whose list changed, or undefined when every session's did. */
  onChange(listener: (sessionId: string | undefined) => void): () => void;
}

/** What one session has beside the shared tools. */
interface SessionTools {
  readonly bySource: Map<string, readonly RegisteredTool[]>;
  readonly byName: Map<string, RegisteredTool>;
}

/** What decides of a tool beside the tool itself; by default all are listed. */
export interface RegistryRules {
  /** Which of the tools that every session has `tools/list` shows. */
  listsShared?(tool: RegisteredTool): boolean;
  /** Whether a tool of this name may be called; one that may not stands in no list, and is not found. */
  permits?(name: string): boolean;
}

export function createRegistry({
  listsShared = () => true,
  permits = () => true,
}: RegistryRules = {}): Registry {
  const withheld = new Map<string, string>();
  const shared = new Map<string, RegisteredTool>();
  const perSession = new Map<string, SessionTools>();
  const listeners = new Set<(sessionId: string | undefined) => void>();
  const changed = (sessionId?: string) => {
    for (const listener of listeners) listener(sessionId);
  };
  const get = (name: string, sessionId?: string) =>
    shared.get(name) ?? (sessionId === undefined ? undefined : perSession.get(sessionId)?.byName.get(name));
  const list = (sessionId?: string) => {
    const own = sessionId === undefined ? undefined : perSession.get(sessionId)?.byName;
    // Shared names win, as in get: a plugin's tool may come to bear the name of a session's own.
    return [...new Map([...(own ?? []), ...shared]).values()]
      .filter(({ name }) => permits(name))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  };
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
    withhold: (name, why) => void withheld.set(name, why),
    withheld,
    unregister(name) {
      const found = shared.delete(name);
      if (found) changed();
      return found;
    },
    setForSession(sessionId, source, tools) {
      const own = perSession.get(sessionId) ?? { bySource: new Map(), byName: new Map() };
      const before = own.bySource.get(source) ?? [];
      for (const { name } of before) own.byName.delete(name);
      const taken: RegisteredTool[] = [];
      const free: RegisteredTool[] = [];
      for (const tool of tools) {
        const isTaken = shared.has(tool.name) || own.byName.has(tool.name);
        (isTaken ? taken : free).push(tool);
        if (!isTaken) own.byName.set(tool.name, tool);
      }
      own.bySource.set(source, free);
      perSession.set(sessionId, own);
      if ([...before, ...free].some(isListed)) changed(sessionId);
      return taken;
    },
    endSession(sessionId) {
      perSession.delete(sessionId);
    },
    get,
    inSight: (name, sessionId) => (permits(name) ? get(name, sessionId) : undefined),
    permits,
    list,
    listed: (sessionId) =>
      list(sessionId).filter(
        (tool) => isListed(tool) && (shared.get(tool.name) !== tool || listsShared(tool)),
      ),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function isListed({ isListed }: RegisteredTool): boolean {
  return isListed !== false;
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
