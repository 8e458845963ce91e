/** How many bytes of a discarded line are kept from its beginning and from its end. */
export const ENVELOPE_BYTES = 1024;

const MEMBER = String.raw`"(?:jsonrpc|method|id)"\s*:\s*(?:"(?:[^"\\]|\\.)*"|-?\d+)\s*`;
const HEAD = new RegExp(String.raw`^\s*\{\s*((?:${MEMBER},\s*)*)("(?:result|error)"\s*:)?`);
// The line's last `}` closes the message itself, so members right before it are the message's own.
const TAIL = new RegExp(String.raw`((?:,\s*${MEMBER})+)\}\s*$`);

/**
 * Reads what kind of message a line is, and its id, from its beginning and end alone. The id is given only
 * for a request: an error under the id of a response would reach a request of the client's own.
 */
export function readEnvelope(
  head: string,
  tail: string,
): { readonly isResponse: boolean; readonly id: string | number | null } {
  const [, first = '', outcome] = HEAD.exec(head.slice(0, ENVELOPE_BYTES)) ?? [];
  const [, last = ''] = TAIL.exec(tail.slice(-ENVELOPE_BYTES)) ?? [];
  if (outcome !== undefined) return { isResponse: true, id: null };
  const { method, id } = members(`${first}"":0${last}`);
  return { isResponse: false, id: typeof method === 'string' && isId(id) ? id : null };
}

/** MCP's request ids: a string, or an integer that survives being read. */
export function isId(id: unknown): id is string | number {
  return typeof id === 'string' || Number.isSafeInteger(id);
}

function members(json: string): { readonly method?: unknown; readonly id?: unknown } {
  try {
    return JSON.parse(`{${json}}`);
  } catch {
    return {};
  }
}
