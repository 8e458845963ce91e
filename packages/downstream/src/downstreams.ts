import type { Interactive, OpenLines } from '@nexus/client';
import type { Downstreams, Registry, Relisting } from '@nexus/core';
import type { Log, SecretUsed, SessionScope, Spans, Store, Toolboxes } from '@nexus/plugin-sdk';
import type { ServerSettings, ToolboxSettings } from './settings.ts';

/** The variables that a session's settings are expanded with: its host's. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What is known of a toolbox before any variable in it is expanded. */
export interface ToolboxOutline {
  readonly name: string;
  readonly description: string;
  /** Whether each session has it open from its start. */
  readonly autoOpen: boolean;
  /** Names of its servers, usable or not. */
  readonly servers: readonly string[];
}

/** The config's toolboxes, as they stand now. */
export interface ToolboxSource {
  /** `dynamic`: an open toolbox's tools are listed; `proxy`: they can be called and are not listed. */
  readonly toolMode: 'dynamic' | 'proxy';
  readonly toolboxes: readonly ToolboxOutline[];
  /** Servers that will not start as things are, for lists to say so before anybody opens them. */
  readonly lacking?: readonly {
    readonly toolbox: string;
    readonly server: string;
    readonly reason: string;
  }[];
  /**
   * One toolbox of those, expanded and checked. A server that can't be used is among its faults, such as
   * for a variable that is not set: its name, where it stands, how to resolve it.
   */
  settings(toolbox: string, environment: Environment): ToolboxSettings;
}

export interface DownstreamsOptions {
  readonly registry: Registry;
  readonly store: Store;
  readonly log: Log;
  /** Where calls tell how they went; by default nowhere. */
  readonly spans?: Spans | undefined;
  /** Hears of each secret before a server gets it. */
  readonly secretUsed?: SecretUsed | undefined;
  /** What servers are told of their client at initialize. */
  readonly info: { readonly name: string; readonly version: string };
  /** Another one for any other code: what another read of a server's list is not taken over. */
  readonly build: string;
  /** Where stdio servers run that name no other folder. */
  readonly projectRoot: string;
  readonly dataDir: string;
  readonly openLines: OpenLines;
  readonly source: ToolboxSource;
  /** Fires when this server stops: from then on a session that ends keeps its toolboxes for the next owner. */
  readonly shutdown: AbortSignal;
  /** Whether a session's catalogue has this server's own tools, as toolbox and server `nexus`. */
  includesOwnTools?(session: SessionScope): boolean;
  /** Whether a session's client has seen the tools of a toolbox that was just opened; by default each has. */
  readonly relisting?: Pick<Relisting, 'knowsList'> | undefined;
  /** How long a server may take from its start to its list of tools, in milliseconds; by default 30 s. */
  readonly openTimeoutMs?: number | undefined;
}

/** A tool whose server describes it otherwise than when it was first seen. */
export interface PendingChange {
  readonly toolbox: string;
  readonly server: string;
  readonly tool: string;
  readonly changes: readonly {
    /** `title`, `description`, `inputSchema`, `outputSchema` or `annotations`. */
    readonly field: string;
    readonly old: unknown;
    readonly new: unknown;
  }[];
  /** Of the changed definition, to be named when it is accepted. */
  readonly hash: string;
  /** False where this process has listed the tool otherwise since: as pinned, or changed once more. */
  readonly isListed: boolean;
}

/** Changes of everything, of one toolbox, of one server of it, of one tool of that. */
export interface PendingPlace {
  readonly toolbox?: string | undefined;
  readonly server?: string | undefined;
  readonly tool?: string | undefined;
}

/** What came of connecting to one server. */
export type ServerTrial = { readonly toolbox: string; readonly server: string } & (
  | {
      readonly isOk: true;
      readonly tools: number;
      readonly protocolVersion: string;
      readonly durationMs: number;
      /** Which of its tools are held back, and the way on. */
      readonly heldBack?: string;
    }
  | { readonly isOk: false; readonly reason: string }
);

export interface TrialOptions {
  /** By default every toolbox. */
  readonly toolboxes?: readonly string[] | undefined;
  /** The variables that settings are expanded with. */
  readonly environment: Environment;
  /** By default every server. */
  readonly isWanted?: ((settings: ServerSettings) => boolean) | undefined;
  /** Present where a person can authorise in a browser now. */
  readonly interactive?: Interactive | undefined;
  /** Once it is started or reached; `downloadedBy` where its first start may have to get it. */
  readonly onBegin?:
    | ((begun: { toolbox: string; server: string; downloadedBy: string | undefined }) => void)
    | undefined;
  readonly onTrial?: ((trial: ServerTrial) => void) | undefined;
}

/** Definitions as they were first seen; what differs from them is held back until it is accepted. */
export interface Pins {
  pending(): Promise<readonly PendingChange[]>;
  /**
   * Lets changed definitions be the known ones: those that a person was shown, and that are listed still.
   * @param shown hashes of them
   * @returns what was accepted
   */
  accept(place: PendingPlace, shown: readonly string[]): Promise<readonly PendingChange[]>;
}

/** One connection, for `nexus status`. Holds no secrets. */
export interface DownstreamStatus {
  /** Who uses it: `toolbox/server`; several where their settings are equal. */
  readonly servers: readonly string[];
  readonly state: 'idle' | 'connecting' | 'ready' | 'restarting' | 'failed';
  readonly pid: number | undefined;
  /** How many sessions have it open. */
  readonly sessions: number;
  /** As the server lists them. */
  readonly tools: number | undefined;
  readonly restarts: number;
  /** It left several calls in a row without an answer: its calls fail at once for a while. */
  readonly isLeftAlone: boolean;
  readonly lastError: string | undefined;
}

/** The servers behind this one: opened on demand, shared by sessions. */
export interface RunningDownstreams extends Toolboxes, Downstreams {
  /**
   * Begins what the session is to have from its start, until it ends; `ready` resolves when it is there.
   * @param isResumed whether another server served the session before: what it had open is opened again
   */
  startSession(
    session: SessionScope,
    options: { readonly environment: Environment; readonly isResumed: boolean },
  ): void;
  /** Takes a changed config over; what did not change stays open. */
  reconfigure(source: ToolboxSource): Promise<void>;
  /** Connects to each server for itself, keeps what it lists, and closes it again. */
  tryServers(options: TrialOptions): Promise<readonly ServerTrial[]>;
  status(): readonly DownstreamStatus[];
  /** Why each tool that is held back from a session is, by every name that it would have, as far as its list is known. */
  heldBack(session: SessionScope): ReadonlyMap<string, string>;
  readonly pins: Pins;
  /** Ends every connection and its processes. */
  stop(): Promise<void>;
}
