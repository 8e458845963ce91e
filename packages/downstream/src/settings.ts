/** One server of a toolbox: its section of the config, expanded and checked. */
export interface ServerSettings {
  readonly transport: 'stdio' | 'http' | 'sse';
  /** Of a stdio server. */
  readonly command?: string | undefined;
  readonly args: readonly string[];
  /** Beside the few variables that every process gets. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute; by default the project root. */
  readonly cwd?: string | undefined;
  /** Of an HTTP or SSE server. */
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly oauth?: OAuthSettings | undefined;
  /** Exact names and globs; one that begins with `!` leaves out. */
  readonly toolFilters: readonly string[];
  /** By the server's own tool name. */
  readonly tools: Readonly<Record<string, ToolOverride>>;
  /** One process for all sessions, or one for each. */
  readonly isolation: 'shared' | 'session';
  /** How long one call may take, in milliseconds; by default the `model` budget. */
  readonly timeoutMs?: number | undefined;
}

export interface ToolOverride {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
}

/** For servers whose authorisation server knows no dynamic registration. */
export interface OAuthSettings {
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  readonly scope?: string | undefined;
  /** Where the browser comes back to on this machine; by default any free port. */
  readonly redirectPort?: number | undefined;
}

/** A server that can't be used as things are, and why: what happened and what to do. */
export interface ServerFault {
  readonly server: string;
  readonly reason: string;
}

/** One toolbox: its section of the config, expanded and checked. */
export interface ToolboxSettings {
  readonly description: string;
  readonly mcpServers: Readonly<Record<string, ServerSettings>>;
  /** Its servers that are not among those. */
  readonly faults: readonly ServerFault[];
  /** Opened for each session at its start. */
  readonly autoOpen: boolean;
  /** Whether tools and prompts are named `{toolbox}__{server}__{name}`, or as their servers name them. */
  readonly prefix: boolean;
}
