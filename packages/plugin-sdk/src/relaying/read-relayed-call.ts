import type { ToolCaller } from '../tool-caller.ts';
import { ToolError } from '../tool-error.ts';
import { type Declared, declaredOf, isObject } from './declared.ts';
import { readPart, type WantedPart } from './read-part.ts';
import { rightForm } from './right-form.ts';

/** Each is looked for among the tool’s own arguments. */
const MAX_BESIDE = 1_000;

/** A tool that calls others as a model wrote it. */
export interface Relay {
  /** Its name. */
  readonly by: string;
  /** What it takes itself, in words. */
  readonly takes: string;
  /** What is wrong with paths into a result, as what takes the part reads them; undefined where nothing is. */
  pathFault(paths: readonly string[]): string | undefined;
  readonly tools: Pick<ToolCaller, 'find' | 'check'>;
}

export interface RelayedCall {
  /** Which part of the result is wanted; undefined for all of it. */
  readonly part: WantedPart | undefined;
  /** As `ToolCaller.call` takes them. */
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * The call that was meant by what stands beside a tool's name: `pick`, `offset` and `limit` are of its result where the
 * tool has no such argument, and anything else is the tool's, as what stands in `arguments` is. Nothing is dropped: what
 * neither takes is refused, before any call is made.
 * @throws {ToolError} NEXUS_INVALID_ARGUMENTS
 */
export async function readRelayedCall(
  tool: string,
  beside: Readonly<Record<string, unknown>>,
  relay: Relay,
): Promise<RelayedCall> {
  const declared = declaredOf(tool, relay.tools);
  const { part, rest } = readPart(beside, declared, relay);
  return { part, params: await paramsOf(tool, rest, { declared, relay }) };
}

/**
 * What stands beside `arguments` is the tool's, too: `dispatch`, say. What the tool does not declare is refused, whatever
 * its schema lets through: nobody meant it. A tool of Nexus's own refuses it itself, and knows other names of its own.
 */
async function paramsOf(
  tool: string,
  { arguments: sentAs, args, ...beside }: Readonly<Record<string, unknown>>,
  { declared, relay }: { readonly declared: Declared; readonly relay: Relay },
): Promise<Readonly<Record<string, unknown>>> {
  const given = sentAs ?? undefined;
  assertFew(beside);
  const { names, takesAny, isStrict } = declared;
  const foreign = Object.keys(beside).filter((key) => !takesAny && !isStrict && !names.includes(key));
  if (foreign.length > 0) {
    const { by, takes, tools } = relay;
    const message = `${by} takes ${takes}; ${foreign.join(', ')} is none of these, and no argument of ${tool}, which takes ${names.join(', ') || 'none'}.`;
    const form = await rightForm(tool, { declared: names, given: given ?? args, beside }, tools);
    throw new ToolError('NEXUS_INVALID_ARGUMENTS', form === undefined ? message : `${message} ${form}`);
  }
  const rest = {
    ...(sentAs === undefined ? {} : { arguments: sentAs }),
    ...(args === undefined ? {} : { args }),
  };
  const sent = given ?? {};
  if (!isObject(sent)) return { ...rest, ...beside };
  // Of a schema that names nothing, beside its arguments would not be told from a wrapper's own fields.
  const isOpen = takesAny && args === undefined && Object.keys(beside).length > 0;
  const isBesideOthers = isOpen || Object.keys(sent).length > 0;
  if (!isBesideOthers) return { ...rest, ...beside };
  // Of two values for one argument the one beside stays there, where the call says so or is refused for it.
  const isSecond = (key: string) => Object.hasOwn(sent, key) && sent[key] !== beside[key];
  const second = Object.fromEntries(Object.entries(beside).filter(([key]) => isSecond(key)));
  return { ...second, ...rest, arguments: { ...beside, ...sent } };
}

function assertFew(beside: Readonly<Record<string, unknown>>): void {
  const count = Object.keys(beside).length;
  if (count <= MAX_BESIDE) return;
  const text = `${count} fields stand beside arguments, and at most ${MAX_BESIDE} are looked at. Put what is for the tool into arguments.`;
  throw new ToolError('NEXUS_INVALID_ARGUMENTS', text);
}
