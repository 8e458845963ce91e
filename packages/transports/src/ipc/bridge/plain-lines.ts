import type { Buffer } from 'node:buffer';

/** As JSON writes them: whole numbers that it holds exactly, and short texts in which nothing is escaped. */
const ID = String.raw`(?:0|[1-9]\d{0,14}|"[ !#-[\]-~]{0,100}")`;

/** More than the members in front of, or behind, what a message carries. */
const ENDS_BYTES = 180;

/** A call with its id in front, as most write it, and behind, as the official SDK for TypeScript does. */
const CALL_HEAD = new RegExp(String.raw`^\{"jsonrpc":"2\.0","id":(${ID}),"method":"tools/call","params":\{`);
const CALL_START = /^\{"method":"tools\/call","params":\{/;
const CALL_TAIL = new RegExp(String.raw`\},"jsonrpc":"2\.0","id":(${ID})\}$`);

/** As this build's own session writes them. */
const ANSWER_HEAD = new RegExp(String.raw`^\{"jsonrpc":"2\.0","id":(${ID}),"(?:result|error)":\{`);

/**
 * The id of a call of a tool, where the line's ends tell; undefined for any other line, which is to be read
 * whole. Between its ends a line may still be no JSON: the owner says so.
 */
export function callIdOf(line: Buffer): string | number | undefined {
  const head = line.toString('latin1', 0, ENDS_BYTES);
  const inFront = CALL_HEAD.exec(head);
  if (inFront) return idOf(inFront);
  if (!CALL_START.test(head)) return undefined;
  return idOf(CALL_TAIL.exec(line.toString('latin1', Math.max(0, line.length - ENDS_BYTES))));
}

/** The id of the request that an owner's line answers, where its beginning tells. */
export function answeredIdOf(line: Buffer): string | number | undefined {
  return idOf(ANSWER_HEAD.exec(line.toString('latin1', 0, ENDS_BYTES)));
}

function idOf(found: RegExpExecArray | null): string | number | undefined {
  const [, id] = found ?? [];
  if (id === undefined) return undefined;
  return id.startsWith('"') ? id.slice(1, -1) : Number(id);
}
