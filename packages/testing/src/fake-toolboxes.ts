import type { RegisteredTool, Registry } from '@nexus/core';
import { pluginTool } from '@nexus/core/definitions';
import {
  type AnyTool,
  type CataloguedTool,
  type Host,
  nearestNames,
  type OpenedToolbox,
  type SessionScope,
  type ToolAddress,
  type Toolboxes,
  type ToolboxFault,
  ToolError,
} from '@nexus/plugin-sdk';

/** Toolboxes by name, their servers by name: the tools of each, or why it can't be reached. */
export type FakeServers = Readonly<Record<string, readonly AnyTool[] | { readonly error: string }>>;

export interface FakeToolboxOptions {
  readonly toolboxes: Readonly<Record<string, FakeServers>>;
  /** As `toolMode: dynamic` has it; default true. */
  readonly isListed?: boolean;
  /** What the servers of each say of themselves. */
  readonly instructions?: OpenedToolbox['instructions'];
  /** What results of tools looked like so far, by the tool's name. */
  readonly shapes?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** What every open says is wrong. */
  readonly faults?: readonly ToolboxFault[];
}

interface FakeTool {
  readonly catalogued: CataloguedTool;
  readonly registered: RegisteredTool;
}

/**
 * Toolboxes in memory, for tests of what builds on them: no process, no pins, no restarts. Their tools are run
 * by the real registry and dispatcher, so arguments are normalised and checked as ever.
 */
export function fakeToolboxes({
  toolboxes,
  isListed = true,
  instructions = [],
  faults = [],
  shapes = {},
}: FakeToolboxOptions) {
  return (registry: Registry, host: Host): Toolboxes => {
    const tools = Object.entries(toolboxes).flatMap(([toolbox, servers]) =>
      Object.entries(servers).flatMap(([server, own]) =>
        'error' in own ? [] : own.map((tool) => fakeTool(tool, { toolbox, server, host, isListed })),
      ),
    );
    const failures = Object.entries(toolboxes).flatMap(([toolbox, servers]) =>
      Object.entries(servers).flatMap(([server, own]) =>
        'error' in own ? [{ toolbox, server, reason: own.error }] : [],
      ),
    );
    const openBySession = new WeakMap<SessionScope, Set<string>>();
    const openOf = (session: SessionScope) => {
      const open = openBySession.get(session) ?? new Set<string>();
      openBySession.set(session, open);
      return open;
    };
    const saidBy = (server: string) => {
      const said = instructions.find((each) => each.server === server);
      return said ? { instructions: { text: said.text, chars: said.chars } } : {};
    };
    const toolsOf = (toolbox: string) => tools.filter(({ catalogued }) => catalogued.toolbox === toolbox);
    const register = (session: SessionScope, toolbox: string, own: readonly FakeTool[]) =>
      registry.setForSession(
        session,
        toolbox,
        own.map(({ registered }) => registered),
      );
    const serversOf = (toolbox: string): FakeServers => {
      const servers = toolboxes[toolbox];
      if (servers) return servers;
      throw missing(`no toolbox "${toolbox}"`, toolbox, Object.keys(toolboxes));
    };

    return {
      names: async () =>
        Object.entries(toolboxes)
          .sort(([one], [other]) => (one < other ? -1 : 1))
          .map(([name, servers]) => ({ name, servers: Object.keys(servers) })),
      list: async (asked, session) =>
        asked.map((name) => ({
          name,
          description: `The toolbox ${name}.`,
          isOpen: openOf(session).has(name),
          servers: Object.entries(serversOf(name)).map(([server, own]) =>
            'error' in own
              ? { name: server, state: 'failed' as const, error: own.error }
              : { name: server, state: 'idle' as const, toolCount: own.length, ...saidBy(server) },
          ),
        })),
      async open(toolbox, { session, progress }) {
        const servers = Object.keys(serversOf(toolbox));
        const failure = failures.find((each) => each.toolbox === toolbox);
        if (failure) throw new ToolError('NEXUS_UNAVAILABLE', `${failure.server}: ${failure.reason}`);
        for (const [at, server] of servers.entries()) progress(`${server} is open`, at + 1, servers.length);
        const own = toolsOf(toolbox);
        const open = openOf(session);
        const wasOpen = open.has(toolbox);
        open.add(toolbox);
        register(session, toolbox, own);
        return {
          toolbox,
          tools: own.map(({ catalogued }) => catalogued),
          isListed,
          wasOpen,
          instructions,
          faults,
        };
      },
      async close(toolbox, { session }) {
        serversOf(toolbox);
        if (!openOf(session).delete(toolbox)) return 0;
        register(session, toolbox, []);
        return toolsOf(toolbox).length;
      },
      catalogue: async () => ({
        tools: tools.map(({ catalogued }) => catalogued),
        unreachable: failures,
        version: 'fake',
      }),
      whyNot: async () => undefined,
      check: async () => [],
      shapes: async (asked) => asked.map(({ tool }) => shapes[tool]),
      async reach(address, { session }) {
        const own = toolsOf(address.toolbox);
        if (!(address.server in serversOf(address.toolbox))) {
          const servers = Object.keys(serversOf(address.toolbox));
          throw missing(`no server "${address.server}"`, address.server, servers);
        }
        const found = own.find(({ catalogued }) => isAt(catalogued, address));
        if (!found) {
          const names = own.map(({ catalogued }) => catalogued.tool);
          throw missing(`no tool "${address.tool}"`, address.tool, names);
        }
        if (!openOf(session).has(address.toolbox)) register(session, address.toolbox, own);
        return found.catalogued.registeredName;
      },
    };
  };
}

function fakeTool(
  tool: AnyTool,
  { toolbox, server, host, isListed }: { toolbox: string; server: string; host: Host; isListed: boolean },
): FakeTool {
  const name = `${toolbox}__${server}__${tool.name}`;
  const registered = pluginTool(tool, { name: toolbox, host, state: async () => undefined });
  const { listing, hints } = registered;
  return {
    catalogued: { toolbox, server, tool: tool.name, registeredName: name, definition: listing, hints },
    registered: { ...registered, name, isListed, listing: { ...listing, name } },
  };
}

function isAt(tool: ToolAddress, { server, tool: name }: ToolAddress): boolean {
  return tool.server === server && tool.tool === name;
}

function missing(what: string, name: string, names: readonly string[]): ToolError {
  return new ToolError(
    'NEXUS_NOT_FOUND',
    `There is ${what}; the nearest: ${nearestNames(name, names).join(', ')}`,
  );
}
