import type { SessionScope } from '@nexus/plugin-sdk';
import { hintFaults } from '../annotations/hints.ts';
import type { RegisteredTool } from './registered-tool.ts';
import { RegistrationError } from './registration-error.ts';

const TOOL_NAME = /^[a-z][a-z0-9_]{0,47}$/;

/** All tools by name. Lists come sorted by name: prompt caches of hosts depend on a stable order. */
export interface Registry {
  /** @throws {RegistrationError} bad name, duplicate, missing or contradictory hints, no JSON Schema */
  register(tool: RegisteredTool): void;
  unregister(name: string): boolean;
  /** Says to whoever asked for a tool that there is not where all tools are found. */
  readonly whereOthersAre: () => string;
  /** Remembers why a tool that there is is not offered, for whoever asks for it by its name. */
  withhold(name: string, why: string): void;
  /** Why, by name. */
  readonly withheld: ReadonlyMap<string, string>;
  /** Why a tool of another server can't be called, by each name that it would have: it is held back. */
  heldBack(session: SessionScope): ReadonlyMap<string, string>;
  /**
   * The tools that this session alone has from one source, such as a toolbox it opened: all of them, in place
   * of what it had from there before, until it ends. Those who work for it see them too.
   * @returns those left out, since the session has another tool of that name
   */
  setForSession(
    session: SessionScope,
    source: string,
    tools: readonly RegisteredTool[],
  ): readonly RegisteredTool[];
  /** Also one that may not be called, so that its call is told why. */
  get(name: string, session?: SessionScope): RegisteredTool | undefined;
  /** As `get`, of what may be called: what is denied is found by nobody, as it is in no list. */
  inSight(name: string, session?: SessionScope): RegisteredTool | undefined;
  /** Whether a tool may be called, wherever it comes from. */
  permits(tool: NamedTool): boolean;
  /** Why those that may not be called may not, by name. */
  denied(session?: SessionScope): ReadonlyMap<string, string>;
  /** Every tool that may be called. */
  list(session?: SessionScope): readonly RegisteredTool[];
  /** Those that `tools/list` shows to a session that has models of its own, or not; by default to one that has. */
  listed(session?: SessionScope, hasModel?: boolean): readonly RegisteredTool[];
  /** Tells every session that its list changed, though no tool came or went. */
  relist(): void;
  /** Calls back with the session whose list changed, or undefined when every session's did. */
  onChange(listener: (session: SessionScope | undefined) => void): () => void;
}

/** A tool, by what it is called and what it is. */
export type NamedTool = Pick<RegisteredTool, 'name' | 'origin'>;

/** What one session has beside the shared tools. */
interface SessionTools {
  readonly bySource: Map<string, readonly RegisteredTool[]>;
  readonly byName: Map<string, RegisteredTool>;
}

/** What decides of a tool beside the tool itself; by default all are listed. */
export interface RegistryRules {
  /** Which of the tools that every session has `tools/list` shows to this one. */
  listsShared?(tool: RegisteredTool, session: SessionScope | undefined): boolean;
  /** Why a tool may not be called, where it may not: it stands in no list, and is not found. */
  refusal?(tool: NamedTool): string | undefined;
  /** Why a tool that no session has is held back from this one, by name. */
  heldBack?(session: SessionScope): ReadonlyMap<string, string>;
  /** Where tools are found that no list shows; by default a list shows them all. */
  whereOthersAre?(): string;
}

export function createRegistry({
  listsShared = () => true,
  refusal = () => undefined,
  heldBack = () => new Map(),
  whereOthersAre = () => 'tools/list names them all',
}: RegistryRules = {}): Registry {
  const withheld = new Map<string, string>();
  const shared = new Map<string, RegisteredTool>();
  const perSession = new WeakMap<SessionScope, SessionTools>();
  const listeners = new Set<(session: SessionScope | undefined) => void>();
  const changed = (session?: SessionScope) => {
    for (const listener of listeners) listener(session);
  };
  const ownGet = (name: string, session: SessionScope | undefined): RegisteredTool | undefined =>
    session && (perSession.get(session)?.byName.get(name) ?? ownGet(name, session.outer));
  const ownOf = (session: SessionScope | undefined): (readonly [string, RegisteredTool])[] =>
    session ? [...ownOf(session.outer), ...(perSession.get(session)?.byName ?? [])] : [];
  const get = (name: string, session?: SessionScope) => shared.get(name) ?? ownGet(name, session);
  const begin = (session: SessionScope): SessionTools => {
    const own = { bySource: new Map(), byName: new Map() };
    perSession.set(session, own);
    session.onEnd(() => void perSession.delete(session));
    return own;
  };
  const permits = (tool: NamedTool) => refusal(tool) === undefined;
  // Shared names win, as in get: a plugin's tool may come to bear the name of a session's own.
  const all = (session?: SessionScope) => [...new Map([...ownOf(session), ...shared]).values()];
  const list = (session?: SessionScope) =>
    all(session)
      .filter(permits)
      .sort((a, b) => (a.name < b.name ? -1 : 1));
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
    heldBack,
    whereOthersAre,
    unregister(name) {
      const found = shared.delete(name);
      if (found) changed();
      return found;
    },
    setForSession(session, source, tools) {
      if (session.hasEnded) return [];
      const own = perSession.get(session) ?? begin(session);
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
      if ([...before, ...free].some(isListed)) changed(session);
      return taken;
    },
    get,
    inSight(name, session) {
      const tool = get(name, session);
      return tool && permits(tool) ? tool : undefined;
    },
    permits,
    denied: (session) =>
      new Map(
        all(session).flatMap((tool) => {
          const why = refusal(tool);
          return why === undefined ? [] : [[tool.name, why] as const];
        }),
      ),
    list,
    listed: (session, hasModel = true) =>
      list(session).filter(
        (tool) =>
          isListed(tool) &&
          (hasModel || !tool.needsModel) &&
          (shared.get(tool.name) !== tool || listsShared(tool, session)),
      ),
    relist: () => changed(),
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
