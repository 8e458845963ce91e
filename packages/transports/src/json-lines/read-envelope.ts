/** How many bytes of a discarded line are kept from its beginning and from its end. */
export const ENVELOPE_BYTES = 1024;

const MEMBER = String.raw`"(?:jsonrpc|method|id)"\s*:\s*(?:"(?:[^"\\]|\\.)*"|-?\d+)\s*`;
const HEAD = new RegExp(String.raw`^\s*\{\s*((?:${MEMBER},\s*)*)("(?:result|error)"\s*:)?`);
// The line's last `}` closes the message itself, so members right before it are the message's own.
const TAIL = new RegExp(String.raw`((?:,\s*${MEMBER})+)\}\s*$`);

/** Reads what kind of message a line is, and its id, from its beginning and end alone. */
export function readEnvelope(
  head: string,
  tail: string,
): { readonly isResponse: boolean; readonly id: string | number | null } {
  const [, first = '', outcome] = HEAD.exec(head.slice(0, ENVELOPE_BYTES)) ?? [];
  const [, last = ''] = TAIL.exec(tail.slice(-ENVELOPE_BYTES)) ?? [];
  const isResponse = outcome !== undefined;
  const { method, id } = members(`${first}"":0${last}`);
  return { isResponse, id: (isResponse || typeof method === 'string') && isId(id) ? id : null };
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
