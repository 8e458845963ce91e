/** What a run asks a person. */
export interface Question {
  readonly message: string;
  /** What the answer may hold: a flat JSON Schema object of primitive properties; without it, yes or no. */
  readonly requestedSchema?: Readonly<Record<string, unknown>>;
  /** What exactly a yes allows, such as a tool and its arguments: an answer is bound to its digest. */
  readonly subject?: unknown;
  /** Default: as long as the run may take. */
  readonly timeoutMs?: number;
}

/** As MCP's elicitation has it; `cancel` is no person's: nobody answered in time. */
export interface Answer {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Readonly<Record<string, unknown>>;
}

/** A question on record. */
export interface AskedQuestion {
  readonly runId: string;
  /** As the run asked it. */
  readonly name: string;
  readonly message: string;
  readonly requestedSchema?: Readonly<Record<string, unknown>>;
  readonly subject?: unknown;
  /** Of `subject`; an answer is accepted only by its name. */
  readonly digest?: string;
  readonly status: 'open' | 'answered' | 'expired';
  readonly answer?: Answer;
  /** Where an answer was kept for it before it was asked, and was let go since it is none: why. */
  readonly refused?: string;
  /** ISO 8601. */
  readonly askedAt: string;
  /** ISO 8601: until when it is answered; after that the run goes on as nobody had. */
  readonly expiresAt?: string;
}
