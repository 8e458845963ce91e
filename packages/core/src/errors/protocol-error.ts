/** JSON-RPC 2.0 error codes that MCP uses (JSON-RPC 2.0, section 5.1). */
export const JSON_RPC = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
} as const;

/** An error that leaves as a JSON-RPC error and not as a result. */
export class ProtocolError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.name = 'ProtocolError';
    this.code = code;
    this.data = data;
  }
}

/** What another server answered a call with, in its words: nothing that is wrong here. */
export class AnsweredError extends ProtocolError {
  /** Toolbox and server. */
  readonly whose: string;

  constructor(
    whose: string,
    { code, message, data }: Pick<ProtocolError, 'code' | 'message' | 'data'>,
    cause?: unknown,
  ) {
    super(code, message, data, cause);
    this.whose = whose;
  }
}

export function invalidParams(message: string, data?: Readonly<Record<string, unknown>>): ProtocolError {
  return new ProtocolError(JSON_RPC.invalidParams, message, data);
}
