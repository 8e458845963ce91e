import type { ErrorCode } from '@nexus/plugin-sdk';

/** How a tool error is to be understood; `internal` leaves as JSON-RPC -32603 instead of a result. */
export type ErrorCategory =
  | 'validation'
  | 'not_found'
  | 'permission'
  | 'rate_limited'
  | 'timeout'
  | 'unavailable'
  | 'conflict'
  | 'business'
  | 'internal';

interface ErrorEntry {
  readonly category: ErrorCategory;
  /** Whether the same call may succeed later without a change. */
  readonly retryable: boolean;
  /** What it means and what to do, for docs/errors.md. */
  readonly text: string;
}

/** Every code that Nexus answers with. docs/errors.md is generated from it. */
export const errorTable = {
  NEXUS_INVALID_ARGUMENTS: {
    category: 'validation',
    retryable: false,
    text: 'The arguments do not fit the tool’s input schema. The text names each path, the keys that arrived and what the tool needs.',
  },
  NEXUS_INVALID_PATTERN: {
    category: 'validation',
    retryable: false,
    text: 'A regular expression or glob does not parse. The text carries the parser’s own message.',
  },
  NEXUS_NOT_FOUND: {
    category: 'not_found',
    retryable: false,
    text: 'The named thing does not exist. The text names the nearest ones where there are any.',
  },
  NEXUS_FILE_UNREADABLE: {
    category: 'not_found',
    retryable: false,
    text: 'A file is there but can’t be read as asked: no permission, binary, or larger than the limit.',
  },
  NEXUS_UNSUPPORTED_LANGUAGE: {
    category: 'validation',
    retryable: false,
    text: 'No parser for this kind of file. The text lists the extensions that have one.',
  },
  NEXUS_OUTSIDE_ROOTS: {
    category: 'permission',
    retryable: false,
    text: 'The path, after symlinks are resolved, lies outside the project root and the client’s roots, or is Nexus’s own or git’s own. Add the folder as a root in the host; a client by HTTP can only name folders of the project, and reads nothing where it names none of them.',
  },
  NEXUS_DENIED: {
    category: 'permission',
    retryable: false,
    text: 'The permissions of the config forbid this tool, or those of the user’s own file beside it; the text says which. Change `permissions` there to allow it.',
  },
  NEXUS_PREREQUISITE: {
    category: 'permission',
    retryable: false,
    text: 'The tool wants another tool to have succeeded first in this session. Call that one, then this.',
  },
  NEXUS_REFUSED: {
    category: 'permission',
    retryable: false,
    text: 'The client, or its user, declined what a tool asked of it, or could not answer. The text says which.',
  },
  NEXUS_YES_NEEDED: {
    category: 'permission',
    retryable: false,
    text: 'The call would reach out of the machine from inside a tool or run that has text which anybody may have written and private data together: the one may have asked for the other. A person has to say yes, and nobody did, or said no. `permissions.reachOut` in the config names tools that may do so unasked.',
  },
  NEXUS_AUDIT_UNAVAILABLE: {
    category: 'unavailable',
    retryable: true,
    text: 'The call is to be put on the audit trail before it runs, and that can’t be written. Nothing was done. The text says why, such as a full disk; `audit.onFailure: allow` in the config lets calls go on without a record.',
  },
  NEXUS_SECRET_REFUSED: {
    category: 'permission',
    retryable: false,
    text: 'The value looks like a credential and is not stored. Store where the secret is kept instead.',
  },
  NEXUS_RATE_LIMITED: {
    category: 'rate_limited',
    retryable: true,
    text: 'This session calls faster than `limits.callsPerSecond`, or has more in flight than `limits.callsInFlight` and `limits.argumentCharsInFlight` allow. Wait as long as `detail.retryAfterMs` says.',
  },
  NEXUS_STILL_RUNNING: {
    category: 'timeout',
    retryable: false,
    text: 'Nothing has failed: the call goes on as a job, because its client is known to give up before the tool’s time budget is spent, and the tool’s output schema has no other place for that. The text names the job and says how its result is had.',
  },
  NEXUS_TIMEOUT: {
    category: 'timeout',
    retryable: true,
    text: 'The tool’s time budget ran out. Narrow the call, or raise `tools.<name>.timeoutMs`.',
  },
  NEXUS_CANCELLED: {
    category: 'business',
    retryable: true,
    text: 'The caller cancelled the call.',
  },
  NEXUS_SHUTTING_DOWN: {
    category: 'unavailable',
    retryable: true,
    text: 'The server is stopping and starts no new work. Call again once it is back.',
  },
  NEXUS_UNAVAILABLE: {
    category: 'unavailable',
    retryable: true,
    text: 'Something the tool needs (a program, a service, the end of an earlier call) is not there. The text says what and how to get it.',
  },
  NEXUS_NO_MODEL: {
    category: 'unavailable',
    retryable: false,
    text: 'No language model is there, or not the one that was asked for. Set a provider’s key (`ANTHROPIC_API_KEY`, `OPENAI_API_KEY`, `GEMINI_API_KEY`) or its section in the config, install and log in one of the command lines `claude`, `codex`, `gemini`, `opencode`, or connect a host that offers sampling. `nexus models` says what was looked for.',
  },
  NEXUS_MODEL_UNAVAILABLE: {
    category: 'unavailable',
    retryable: true,
    text: 'A model’s provider could not be reached, was overloaded, broke off its answer or did not end in time; retries did not help. The text has the provider’s own words.',
  },
  NEXUS_MODEL_RATE_LIMITED: {
    category: 'rate_limited',
    retryable: true,
    text: 'A model’s provider limits how fast it may be asked, and its wait does not fit into the time that is left. Wait as long as `detail.retryAfterMs` says.',
  },
  NEXUS_MODEL_REJECTED: {
    category: 'business',
    retryable: false,
    text: 'A model’s provider does not accept the request: a wrong key, an unknown model, too long a prompt. The text has the provider’s own words.',
  },
  NEXUS_MODEL_REFUSED: {
    category: 'business',
    retryable: false,
    text: 'The model declined to answer this, or its provider’s filter held the answer back.',
  },
  NEXUS_MODEL_OUTPUT: {
    category: 'business',
    retryable: false,
    text: 'A model’s answer does not have the form that it was asked for, and neither has its second try. The text has what was wrong.',
  },
  NEXUS_CONFIG: {
    category: 'unavailable',
    retryable: false,
    text: 'What the config says of a server can’t be used: a variable is not set for this session’s host, a value does not fit, or the user has not trusted it yet. The text names each path and the fix.',
  },
  NEXUS_OUTCOME_UNKNOWN: {
    category: 'unavailable',
    retryable: false,
    text: 'Nobody knows whether the work was done: its server died or its connection was lost before it answered, or a run that goes on had done it otherwise before. It could be done twice, so nothing does it again by itself, with an `idempotencyKey` neither. Look at its effect first. Then whoever has its run go on by its id, as `nexus runs rerun` does, has it done again. The same call with the same key goes on answering this error.',
  },
  NEXUS_STORE_UNAVAILABLE: {
    category: 'unavailable',
    retryable: true,
    text: 'The database can’t be reached, opened or written, or its connection broke. `nexus doctor` says why.',
  },
  NEXUS_CONFLICT: {
    category: 'conflict',
    retryable: false,
    text: 'The change clashes with what is there already. The text names both.',
  },
  NEXUS_BUDGET_EXCEEDED: {
    category: 'business',
    retryable: false,
    text: 'The next model call would cost more than what is left of the run’s budget, so it was not made. The text has what is spent, what it would cost and the cap; raise the cap to go on.',
  },
  NEXUS_INPUT_REQUIRED: {
    category: 'business',
    retryable: false,
    text: 'A run waits for the answer of a person whom this call could not ask, or who left it open. Nothing is lost: `nexus runs <id>` shows what is asked and how it is answered; the run then goes on by itself, and the same call, with its `idempotencyKey` or with `resume`, waits for it again. `detail` has the `state` and the `requests` to be answered.',
  },
  NEXUS_LOOP: {
    category: 'business',
    retryable: false,
    text: 'The same was done again and again without an end: a call with the same arguments, or a visit of a graph. The text names it and the limit.',
  },
  NEXUS_CRASHED: {
    category: 'business',
    retryable: false,
    text: 'Several server processes died while they ran this, so it is not tried again. The log says how they died.',
  },
  NEXUS_RUN_CHANGED: {
    category: 'conflict',
    retryable: false,
    text: 'A run can’t go on as it began: the code behind it asks for other steps than are on record. The text names the step. Bring it back and resume the run, or do it again by `nexus runs rerun`.',
  },
  NEXUS_TOOL_FAILED: {
    category: 'business',
    retryable: false,
    text: 'A tool of another server answered with an error of its own. Its result is passed on unchanged; this code stands for it in records.',
  },
  NEXUS_INTERNAL: {
    category: 'internal',
    retryable: false,
    text: 'A fault in Nexus or a plugin. The log has its cause under the correlation id in `data.correlationId`, or where a run came to it in `detail.correlationId`, beside the `runId`; the text says how that run is gone on with.',
  },
} as const satisfies Record<ErrorCode, ErrorEntry>;

export type KnownErrorCode = keyof typeof errorTable;

export function isKnownCode(code: string): code is KnownErrorCode {
  return Object.hasOwn(errorTable, code);
}
