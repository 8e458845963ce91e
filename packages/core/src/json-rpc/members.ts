import { isRecord } from '../json-type.ts';

export type Members = Readonly<Record<string, unknown>>;

/** Of a request, as its sender numbered it. */
export type RequestId = string | number;

export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || typeof value === 'number';
}

/**
 * The token is the request's own id; the one that its caller was given means nothing to the next side.
 * @param token undefined for a request whose progress nobody wants
 */
export function withProgressToken(
  params: Members | undefined,
  token: RequestId | undefined,
): Members | undefined {
  const meta = isRecord(params?._meta) ? params._meta : undefined;
  if (token === undefined && meta?.progressToken === undefined) return params;
  const { progressToken: _, ...rest } = meta ?? {};
  const _meta = token === undefined ? rest : { ...rest, progressToken: token };
  return { ...params, _meta };
}
