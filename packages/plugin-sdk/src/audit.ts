/** What is put on the audit trail: something that happened, and by whose word. */
export interface AuditEvent {
  /** The plugin's name, a point and what happened: `consensus.vote`. */
  readonly kind: string;
  /** Plain JSON that anybody who reads the trail may see: names, ids, numbers, no texts of users. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Values that the trail holds commitments to, by the member of the data that has each. */
  readonly texts?: Readonly<Record<string, unknown>>;
}

/** One thing that does not fit in a trail. */
export interface AuditFault {
  /** What was done to it, by what that left: edited, deleted, cut and so on. */
  readonly kind: string;
  /** A file of the trail with its line, a writer, a checkpoint or an anchor. */
  readonly where: string;
  /** In whole words. */
  readonly what: string;
}

export interface AuditVerification {
  readonly unaltered: boolean;
  readonly complete: boolean;
  /** Undefined where nothing is anchored. */
  readonly fresh: boolean | undefined;
  /** The newest checkpoint of the trail that each anchor has, of those that can be read. */
  readonly anchors: readonly { readonly anchor: string; readonly number: number; readonly at: string }[];
  /** Anchors that do not have what was brought to them, by their names, each with why. */
  readonly behind: readonly { readonly anchor: string; readonly why: string }[];
  readonly faults: readonly AuditFault[];
  /** Calls that were begun by a process that is gone, and have no outcome. */
  readonly open: readonly { readonly writer: string; readonly seq: number; readonly tool: string }[];
  readonly running: number;
  /** Calls whose process ended before they did. */
  readonly interrupted: number;
  /** Events that could not be written while calls went on without them. */
  readonly missed: number;
  readonly writers: number;
  readonly events: number;
  readonly checkpoints: number;
  /** Which key each stretch of checkpoints says that it is signed by. */
  readonly signedBy?: readonly { readonly key: string; readonly from: number; readonly to: number }[];
  readonly afterLastCheckpoint: number;
}

/** A call that is on record, of a tool that may change something. */
export interface AuditedCall {
  readonly tool: string;
  /** Epoch milliseconds. */
  readonly startMs: number;
  /** Undefined where its outcome is not on record. */
  readonly endMs: number | undefined;
  /** Of its error; undefined where it had none, or no outcome. */
  readonly code: string | undefined;
  readonly run: string | undefined;
}

/** The audit trail: what was done here, in chains that show when somebody changes them. */
export interface Audit {
  /**
   * Puts something on record that is no call; calls are by themselves.
   * @throws {ToolError} NEXUS_AUDIT_UNAVAILABLE where it can't be written, unless the config lets work go on then
   */
  record(event: AuditEvent): Promise<void>;
  /**
   * Reads a trail, and says what holds.
   * @param folder of the trail, inside the data directory; by default the server's own
   * @throws {ToolError} NEXUS_NOT_FOUND where there is none
   */
  verify(folder?: string): Promise<AuditVerification>;
  /** The calls that began at that moment or later, in no order, as they are written down: nothing is verified. */
  calls(moment: number): AsyncIterable<AuditedCall>;
}

/** A secret is about to be handed to somebody: what it is called, and by what it is used. */
export interface SecretUse {
  /** Where it comes from, never what it is: `OPENAI_API_KEY`, `sources.github.key`. */
  readonly name: string;
  /** Such as `model provider openai`. */
  readonly by: string;
}

export type SecretUsed = (use: SecretUse) => void;
