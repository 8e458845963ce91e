// What a process that only forwards needs: no zod behind it, so that it starts light.
export { ERROR_META_KEY, type ErrorEnvelope, toErrorResult } from './envelope.ts';
export { AnsweredError, invalidParams, JSON_RPC, ProtocolError } from './protocol-error.ts';
export { type ErrorCategory, errorTable, isKnownCode, type KnownErrorCode } from './table.ts';
