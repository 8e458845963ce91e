import type { CallContext } from './context.ts';
import type { SessionScope } from './session-scope.ts';
import type { ToolHints } from './tool.ts';
import type { ArgumentFault } from './tool-caller.ts';

/** Where a tool of another server is: three names, so that nothing has to be taken apart. */
export interface ToolAddress {
  readonly toolbox: string;
  readonly server: string;
  /** As the server names it, or as the config renames it. */
  readonly tool: string;
}

/** What the call of a tool lends to the work on toolboxes done for it. */
export type ToolboxCaller = Pick<CallContext, 'session' | 'signal' | 'deadline' | 'progress' | 'log'> & {
  /** Absent where no client's call waits, as in a run's step. */
  readonly ask?: CallContext['ask'] | undefined;
};

/** A toolbox of the config and its servers, usable or not, by name. */
export interface ToolboxNames {
  readonly name: string;
  readonly servers: readonly string[];
}

/** A toolbox of the config, as one session sees it. */
export interface ToolboxSummary {
  readonly name: string;
  readonly description: string;
  readonly isOpen: boolean;
  readonly servers: readonly ToolboxServer[];
}

/** A server's own; `text` is their beginning where the server sent more `chars`. */
interface ServerWords {
  readonly text: string;
  readonly chars: number;
}

export interface ToolboxServer {
  readonly name: string;
  /** `restarting` and `failed` come with `error`. */
  readonly state: 'idle' | 'connecting' | 'ready' | 'restarting' | 'failed';
  /** As listed last; undefined where it was never listed. */
  readonly toolCount?: number;
  /** How many more it listed that are left out; `open` says why. */
  readonly leftOut?: number;
  readonly error?: string;
  /** What it says of its own use, while it is connected. */
  readonly instructions?: ServerWords;
}

/** A tool of a toolbox, as remembered from its server's last list. */
export interface CataloguedTool extends ToolAddress {
  /** The name it is registered and called by. */
  readonly registeredName: string;
  /** As its server served it, every key; the config's rename and description laid over it. */
  readonly definition: Readonly<Record<string, unknown>>;
  readonly hints: ToolHints;
}

/** What is wrong with one tool or one server of a toolbox that is open all the same. */
export interface ToolboxFault {
  readonly server: string;
  readonly tool?: string;
  /** What happened and what to do. */
  readonly reason: string;
}

export interface OpenedToolbox {
  readonly toolbox: string;
  /** Of the whole toolbox, in the order of their registered names. */
  readonly tools: readonly CataloguedTool[];
  /**
   * Whether `tools/list` shows them (`toolMode: dynamic`), and the client has looked since; else `use_tool` alone is
   * sure to reach them.
   */
  readonly isListed: boolean;
  /** Whether the session had it open before. */
  readonly wasOpen: boolean;
  /** What its servers say of their own use, in their words. */
  readonly instructions: readonly (ServerWords & { readonly server: string })[];
  /** Servers and tools left out, each with why: one that can’t be reached, a changed one that is not accepted yet. */
  readonly faults: readonly ToolboxFault[];
}

export interface ToolCatalogue {
  readonly tools: readonly CataloguedTool[];
  /** Servers that could not be listed, and those of which a part is left out or held back. */
  readonly unreachable: readonly {
    readonly toolbox: string;
    readonly server: string;
    readonly reason: string;
  }[];
  /** Tools that are as good as not there until somebody accepts how their server describes them by now. */
  readonly heldBack?: readonly {
    readonly toolbox: string;
    readonly server: string;
    /** `tool` as the server names it, `name` as the config does, `names` what it is asked for by whole: in front as registered. */
    readonly tools: readonly {
      readonly tool: string;
      readonly name: string;
      readonly names: readonly string[];
    }[];
  }[];
  /** The same for the same tools, after a restart too: what was made from them can be kept. */
  readonly version: string;
}

/** Other MCP servers, grouped by the config and opened on demand. */
export interface Toolboxes {
  /** Of every toolbox, in their order. */
  names(): Promise<readonly ToolboxNames[]>;
  /** These toolboxes, and no work on others; one that the config has no more is left out. */
  list(toolboxes: readonly string[], session: SessionScope): Promise<readonly ToolboxSummary[]>;
  /**
   * Connects to every server of the toolbox and makes its tools callable for the session; as often as asked. A
   * server that could not be reached is among the faults.
   * @throws {ToolError} NEXUS_NOT_FOUND; NEXUS_UNAVAILABLE where none of its servers could be reached
   */
  open(toolbox: string, caller: ToolboxCaller): Promise<OpenedToolbox>;
  /**
   * Takes the toolbox from the session; servers that no session uses end.
   * @returns how many tools went; 0 where it was not open
   * @throws {ToolError} NEXUS_NOT_FOUND
   */
  close(toolbox: string, caller: ToolboxCaller): Promise<number>;
  /** Every tool of every toolbox; those never seen are listed first, four at a time, at most 10 s, or 45 s where one may be downloaded. */
  catalogue(caller: ToolboxCaller): Promise<ToolCatalogue>;
  /**
   * What results of each of these tools, answered to the caller's user, looked like so far, as a JSON Schema of kinds
   * and names: of those whose server states no output schema, where some were seen. A promise of nobody's.
   */
  shapes(
    tools: readonly CataloguedTool[],
    caller: Pick<CallContext, 'user'>,
  ): Promise<readonly (Readonly<Record<string, unknown>> | undefined)[]>;
  /**
   * Why a tool of that origin, `{toolbox}__{server}__{tool}`, can't be called, as far as it is known without a connection
   * to its server: it is held back, or is not in what the server listed last.
   */
  whyNot(origin: string, session: SessionScope): Promise<string | undefined>;
  /** What a call of a tool of that origin would be refused for, as far as it is known in the same way. */
  check(
    call: { readonly origin: string; readonly arguments: Readonly<Record<string, unknown>> },
    session: SessionScope,
  ): Promise<readonly ArgumentFault[]>;
  /**
   * Makes one tool callable for the session, open or not, listed or not.
   * @returns the name to call it by, through `context.tools`
   * @throws {ToolError} NEXUS_NOT_FOUND naming the nearest; NEXUS_UNAVAILABLE
   */
  reach(address: ToolAddress, caller: ToolboxCaller): Promise<string>;
}
