import type { ConnectionSettings } from '@nexus/client';

/** One server of a toolbox: its section of the config, expanded and checked. */
export interface ServerSettings extends ConnectionSettings {
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
