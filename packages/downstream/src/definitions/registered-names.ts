import { stableHash } from '@nexus/primitives';

/** What one server calls one of its tools or prompts, or what the config renames it to. */
export interface NamedOrigin {
  readonly server: string;
  readonly name: string;
}

export interface RegisteredName {
  readonly registered: string;
  /** Only where `registered` is another: what it stands for. */
  readonly full: string | undefined;
}

/** One that has a prefix all the same, since a server before it has one of the same name. */
export interface NameClash {
  readonly origin: NamedOrigin;
  readonly holder: string;
}

/** The longest name, and the only characters, that every host takes. */
const MAX_NAME_CHARS = 64;
const UNSAFE = /[^a-zA-Z0-9_-]/gu;
const HASH_CHARS = 8;

interface Candidate {
  readonly origin: NamedOrigin;
  readonly full: string;
  readonly safe: string;
  readonly address: readonly string[];
}

/**
 * Names for hosts, the same whatever order the servers list in: `{toolbox}__{server}__{name}`, or without a
 * prefix the name itself. Characters that some host refuses become `_`, what is too long ends in a hash, and
 * so do those of several that would become one, but for one that is so named by itself.
 * @param origins in the order of the config's servers: without a prefix, the first server keeps a name and the
 * others have theirs with one
 */
export function registeredNames(
  toolbox: { readonly name: string; readonly prefix: boolean },
  origins: readonly NamedOrigin[],
): { names: ReadonlyMap<NamedOrigin, RegisteredName>; clashes: readonly NameClash[] } {
  const clashes: NameClash[] = [];
  const candidates: Candidate[] = [];
  const holders = new Map<string, string>();
  for (const origin of origins) {
    const holder = holders.get(origin.name);
    const isTaken = !toolbox.prefix && holder !== undefined;
    if (isTaken) clashes.push({ origin, holder });
    else holders.set(origin.name, origin.server);
    candidates.push(candidate(isTaken ? { name: toolbox.name, prefix: true } : toolbox, origin));
  }
  const names = new Map<NamedOrigin, RegisteredName>();
  for (const alike of groupBySafe(candidates)) {
    const verbatim = alike.filter(({ safe, full }) => safe === full);
    const holder = verbatim.length === 1 ? verbatim[0] : alike.length === 1 ? alike[0] : undefined;
    for (const each of alike) {
      const registered = each === holder ? each.safe : hashed(each);
      names.set(each.origin, { registered, full: registered === each.full ? undefined : each.full });
    }
  }
  return { names, clashes };
}

/** A name of its own, whatever others are joined to the same one. */
export function hashedName(toolbox: string, origin: NamedOrigin): RegisteredName {
  const named = candidate({ name: toolbox, prefix: true }, origin);
  return { registered: hashed(named), full: named.full };
}

function candidate(toolbox: { name: string; prefix: boolean }, origin: NamedOrigin): Candidate {
  const address = toolbox.prefix ? [toolbox.name, origin.server, origin.name] : [origin.name];
  const full = address.join('__');
  const plain = full.replace(UNSAFE, '_');
  const one = { origin, full, address };
  return { ...one, safe: plain.length > MAX_NAME_CHARS ? hashed({ ...one, safe: plain }) : plain };
}

function hashed({ safe, address }: Candidate): string {
  const hash = stableHash(address).slice(0, HASH_CHARS);
  return safe.endsWith(`_${hash}`) ? safe : `${safe.slice(0, MAX_NAME_CHARS - HASH_CHARS - 1)}_${hash}`;
}

function groupBySafe(candidates: readonly Candidate[]): Iterable<readonly Candidate[]> {
  const groups = new Map<string, Candidate[]>();
  for (const each of candidates) {
    const group = groups.get(each.safe);
    if (group) group.push(each);
    else groups.set(each.safe, [each]);
  }
  return groups.values();
}
