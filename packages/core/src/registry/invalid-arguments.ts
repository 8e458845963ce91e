import { ToolError } from '@nexus/plugin-sdk';
import { cutEnd } from '@nexus/primitives';
import { isRecord } from '../json-type.ts';
import { argumentMeant } from './argument-meant.ts';
import { type Example, neededArguments } from './example.ts';
import type { Issue, ToolListing } from './registered-tool.ts';

/** The message of an issue whose path ends in a key that the schema does not declare. */
export const UNKNOWN_ARGUMENT = 'no such argument';

/** Of an example that does not pass before its caller has put values of its own into it. */
const NEEDED = 'What it needs, with your own values in place of what stands in <>';

/** A call that is wrong in very many places is told of these first ones, and how many there are. */
const MAX_LISTED = 20;
const MAX_KEY_CHARS = 80;

type Schema = Readonly<Record<string, unknown>>;

/** What is known of a tool besides, to help whoever called it wrongly. */
interface Help {
  readonly aliases?: Readonly<Record<string, string>> | undefined;
  /** By default, what is required, and what was given in a wrong form. */
  readonly example?: Example | undefined;
}

/**
 * The answer to arguments that don't fit: what is wrong per path and what was wanted there, the keys
 * that arrived, and what the tool needs, which passes as it stands or once it is filled in.
 */
export function invalidArguments(
  listing: ToolListing,
  args: Readonly<Record<string, unknown>>,
  issues: readonly Issue[],
  { aliases, example = neededArguments(listing.inputSchema, meantNames(listing, args, issues)) }: Help = {},
): ToolError {
  const keys = Object.keys(args);
  const receivedKeys = keys.slice(0, MAX_LISTED).map(clip);
  const listed = issues.slice(0, MAX_LISTED);
  const faults = listed.map(
    (issue) =>
      `- ${clip(issue.path) || 'arguments'}: ${describe(issue, args, { schema: listing.inputSchema, aliases })}`,
  );
  const lines = [
    `Invalid arguments for ${listing.name}:`,
    ...withRest(faults, issues.length, 'faults'),
    ...takenInstead(listed, args, { schema: listing.inputSchema, aliases }),
    `Received keys: ${keys.length === 0 ? 'none' : withRest(receivedKeys, keys.length, 'keys').join(', ')}`,
    `${example.isToBeFilledIn ? NEEDED : 'Example that would pass'}: ${JSON.stringify(example.arguments)}`,
  ];
  return new ToolError('NEXUS_INVALID_ARGUMENTS', lines.join('\n'), {
    detail: {
      issues: listed.map((issue) => ({ ...issue, path: clip(issue.path) })),
      receivedKeys,
      example: example.arguments,
    },
  });
}

/** What is wrong with arguments by path, in the words that a refused call gets. */
export function argumentFaults(
  { inputSchema }: ToolListing,
  args: Readonly<Record<string, unknown>>,
  issues: readonly Issue[],
  aliases?: Help['aliases'],
): Issue[] {
  return issues.slice(0, MAX_LISTED).map((issue) => ({
    path: clip(issue.path),
    message: describe(issue, args, { schema: inputSchema, aliases }),
  }));
}

/** The arguments that were given and that faults are of. */
function meantNames(
  { inputSchema }: ToolListing,
  args: Readonly<Record<string, unknown>>,
  issues: readonly Issue[],
): string[] {
  const declared = propertiesOf(inputSchema);
  const names = issues.map(({ path }) => path.split('.')[0] ?? '');
  return names.filter((name) => Object.hasOwn(declared, name) && (args[name] ?? undefined) !== undefined);
}

/** All that there are, where one was given that comes near to none of them. */
function takenInstead(
  issues: readonly Issue[],
  args: Readonly<Record<string, unknown>>,
  { schema, aliases }: Pick<Help, 'aliases'> & { readonly schema: Schema },
): string[] {
  const names = Object.keys(propertiesOf(schema));
  const isFar = ({ path, message }: Issue) =>
    message === UNKNOWN_ARGUMENT &&
    !path.includes('.') &&
    argumentMeant(path, schema, { aliases, value: args[path] }) === undefined;
  if (names.length === 0 || !issues.some(isFar)) return [];
  return [
    `Arguments that there are: ${withRest(names.slice(0, MAX_LISTED), names.length, 'keys').join(', ')}`,
  ];
}

function describe(
  issue: Issue,
  args: Readonly<Record<string, unknown>>,
  { schema, aliases }: Pick<Help, 'aliases'> & { readonly schema: Schema },
): string {
  const keys = issue.path.split('.');
  const last = keys.at(-1) ?? '';
  const parent = keys.slice(0, -1).reduce<Schema>(childOf, schema);
  if (issue.message === UNKNOWN_ARGUMENT) {
    const near = argumentMeant(last, parent, keys.length === 1 ? { aliases, value: args[last] } : {});
    if (near === undefined) return UNKNOWN_ARGUMENT;
    // A word of another tool's, which may count otherwise there.
    const isAlias = keys.length === 1 && aliases !== undefined && Object.hasOwn(aliases, last);
    const { description = '' } = isAlias ? childOf(parent, near) : {};
    return `${UNKNOWN_ARGUMENT}; did you mean ${near}? ${String(description)}`.trimEnd();
  }
  const { description } = childOf(parent, last);
  const about = typeof description === 'string' ? description : '';
  const isMissing = keys.length === 1 && isRequired(parent, last) && !Object.hasOwn(args, last);
  if (isMissing) return `is missing. ${about}`.trimEnd();
  const form =
    keys.length === 1 ? rightForm(args[last], childOf(parent, last), isRequired(parent, last)) : '';
  return [about === '' ? issue.message : `${issue.message}. ${about}`, form].filter(Boolean).join(' ');
}

/** Of a value that plainly means something else, how that is written, with its own words. */
function rightForm(value: unknown, { type }: Schema, isNeeded: boolean): string {
  if (value === null && !isNeeded) return 'Leave it out where it has no value.';
  if (typeof value !== 'string' || ![type].flat().includes('array')) return '';
  if (/^\s*(?:[[{]|$)/.test(value)) return '';
  const one = JSON.stringify([value]);
  const several = JSON.stringify(value.split(/[,;\n]/).map((each) => each.trim()));
  const forms = one === several ? one : `${cutEnd(one, MAX_KEY_CHARS)} or ${cutEnd(several, MAX_KEY_CHARS)}`;
  return `Give a list: ${cutEnd(forms, 3 * MAX_KEY_CHARS)}.`;
}

/** The schema one step down a path; empty where the schema says nothing of it. */
function childOf(schema: Schema, key: string): Schema {
  const properties = propertiesOf(schema);
  const child = Object.hasOwn(properties, key) ? properties[key] : schema.items;
  return isRecord(child) ? child : {};
}

function propertiesOf(schema: Schema): Schema {
  return isRecord(schema.properties) ? schema.properties : {};
}

function isRequired(schema: Schema, key: string): boolean {
  return Array.isArray(schema.required) && schema.required.includes(key);
}

function withRest(first: readonly string[], total: number, what: string): readonly string[] {
  const rest = total - first.length;
  return rest > 0 ? [...first, `… and ${rest} more ${what}`] : first;
}

function clip(key: string): string {
  return cutEnd(key, MAX_KEY_CHARS);
}
