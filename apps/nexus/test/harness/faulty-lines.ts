/** Numbers in [0, 1) that a seed decides, so that a failing run can be repeated (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const NEWLINE = 0x0a;
const ODD_VALUES = [
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  2 ** 60,
  '',
  'x',
  '\ud800',
  '__proto__',
  [],
  [1],
  {},
  { a: 1 },
];
const ODD_KEYS = ['id', 'jsonrpc', 'method', 'params', 'result', 'error', '_meta', 'extra', '__proto__'];
const METHODS = ['ping', 'tools/lst', 'resources/list', 'prompts/get', 'notifications/initialized', 'a'];

/** Lines made from good messages by a few changes each, and some of bytes alone. */
export function faultyLines(count: number, random: () => number): Uint8Array[] {
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <T>(choices: readonly T[]): T => choices[below(choices.length)] as T;

  function message(index: number): Record<string, unknown> {
    const id = random() < 0.5 ? `m-${index}` : index;
    const call = { name: 'slow_echo', arguments: { text: 'é'.repeat(below(20)), count: below(2000) } };
    return pick<Record<string, unknown>>([
      { jsonrpc: '2.0', id, method: 'tools/call', params: call },
      { jsonrpc: '2.0', id, method: pick(METHODS), params: { name: pick(['code-review', 'x']) } },
      { jsonrpc: '2.0', id, method: 'ping' },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'never was' } },
      { jsonrpc: '2.0', id, result: {} },
      { jsonrpc: '2.0', id, error: { code: 1, message: 'no' } },
    ]);
  }

  function changeMember(target: Record<string, unknown>): void {
    const key = pick([...Object.keys(target), ...ODD_KEYS]);
    if (random() < 0.3) delete target[key];
    // Not by assignment, which would set a prototype.
    else
      Object.defineProperty(target, key, { value: pick(ODD_VALUES), enumerable: true, configurable: true });
  }

  function changeBytes(line: Buffer): Buffer {
    const at = below(line.length + 1);
    const to = Math.min(line.length, at + below(8));
    const inserted = Buffer.from(Array.from({ length: below(6) }, () => below(256)));
    return pick([
      () => Buffer.concat([line.subarray(0, at), line.subarray(to)]),
      () => Buffer.concat([line.subarray(0, at), inserted, line.subarray(at)]),
      () => line.subarray(0, at),
      () => Buffer.concat([line, line.subarray(at)]),
      () => Buffer.from(line.map((byte, index) => (index === at ? byte ^ (1 << below(8)) : byte))),
    ])();
  }

  return Array.from({ length: count }, (_, index) => {
    if (random() < 0.1)
      return withoutNewlines(Buffer.from(Array.from({ length: below(60) }, () => below(256))));
    const changed = message(index);
    for (let changes = below(3); changes > 0; changes -= 1) changeMember(changed);
    const whole = pick<unknown>([changed, changed, changed, changed, [changed], pick(ODD_VALUES)]);
    let line: Buffer = Buffer.from(JSON.stringify(whole));
    while (random() < 0.4) line = changeBytes(line);
    return withoutNewlines(line);
  });
}

function withoutNewlines(line: Buffer): Uint8Array {
  return line.map((byte) => (byte === NEWLINE ? 0x20 : byte));
}

/** The answer that a line deserves: its id, and its code where that is certain before any method runs. */
export interface Deserved {
  readonly id: unknown;
  readonly code?: number;
}

/** By JSON-RPC 2.0 and MCP 2025-11-25 alone, with nothing of the server's own code. */
export function deservedAnswer(line: Uint8Array): Deserved | undefined {
  let value: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(line);
    if (/^[ \t\r]*$/.test(text)) return undefined;
    value = JSON.parse(text);
  } catch {
    return { id: null, code: -32700 };
  }
  if (!isObject(value)) return { id: null, code: -32600 };
  const { jsonrpc, id, method, params } = value;
  const isRequest = Object.hasOwn(value, 'id');
  const hasOutcome = Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error');
  const invalid = { id: echo(id), code: -32600 };
  if (!Object.hasOwn(value, 'method')) return hasOutcome ? undefined : invalid;
  if (jsonrpc !== '2.0' || typeof method !== 'string') return invalid;
  if (!isRequest) return undefined;
  if ((typeof id !== 'string' && !Number.isSafeInteger(id)) || hasOutcome) return invalid;
  if (params !== undefined && !isObject(params)) return { id, code: -32602 };
  return { id };
}

/** An id that its sender knows again when it reads it back. */
function echo(id: unknown): unknown {
  if (typeof id === 'number' && Number.isFinite(id)) {
    return Number.isInteger(id) && !Number.isSafeInteger(id) ? null : id;
  }
  return typeof id === 'string' ? id : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
