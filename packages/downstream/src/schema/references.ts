import { isRecord } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';

export type Schema = boolean | Members;

/** Where a document that names no place of its own is taken to be. */
const NOWHERE = 'nexus://schema/';
/** Keywords that hold values and no schemas. */
const VALUES = new Set(['enum', 'const', 'default', 'examples']);

/** The places of a document that its references can lead to. */
export interface References {
  /** Whether a schema in it asks what others have looked at. */
  readonly hasUnevaluated: boolean;
  /** The resource that a schema stands in. */
  baseOf(schema: Members): string;
  /** The schema at the root of a resource. */
  rootOf(base: string): Members | undefined;
  /** @throws {Error} the reference leads to nowhere in the document */
  resolve(reference: string, base: string): Schema;
  /** The schema of a resource that has this `$dynamicAnchor`. */
  dynamic(base: string, name: string): Members | undefined;
}

/** Finds every `$id`, `$anchor` and `$dynamicAnchor` of the document, once. */
export function findReferences(document: Members): References {
  const bases = new Map<Members, string>();
  const places = new Map<string, Members>([[NOWHERE, document]]);
  const dynamics = new Map<string, Members>();
  const resolved = new Map<string, Schema>();
  let hasUnevaluated = false;
  index(document, NOWHERE);

  /** Not by recursion: how deep a document goes is its author's choice. */
  function index(root: Members, rootBase: string): void {
    const waiting: { readonly schema: unknown; readonly base: string }[] = [{ schema: root, base: rootBase }];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { schema } = next;
      if (Array.isArray(schema)) {
        for (const each of schema) waiting.push({ schema: each, base: next.base });
        continue;
      }
      if (!isRecord(schema) || bases.has(schema)) continue;
      const base = enter(schema, next.base);
      for (const [key, each] of Object.entries(schema)) {
        if (key.startsWith('unevaluated')) hasUnevaluated = true;
        if (!VALUES.has(key) && typeof each === 'object') waiting.push({ schema: each, base });
      }
    }
  }

  function enter(schema: Members, outer: string): string {
    const id = typeof schema.$id === 'string' ? schema.$id : schema.id;
    const own = typeof id === 'string' && URL.canParse(id, outer) ? new URL(id, outer) : undefined;
    const fragment = own?.hash.slice(1);
    const base = own ? own.href.slice(0, own.href.length - own.hash.length) : outer;
    bases.set(schema, base);
    if (own && !places.has(base) && !fragment) places.set(base, schema);
    for (const anchor of [fragment, schema.$anchor, schema.$dynamicAnchor]) {
      if (typeof anchor === 'string' && anchor !== '') places.set(`${base}#${anchor}`, schema);
    }
    if (typeof schema.$dynamicAnchor === 'string') dynamics.set(`${base}#${schema.$dynamicAnchor}`, schema);
    return base;
  }

  function find(reference: string, base: string): unknown {
    if (!URL.canParse(reference, base)) return undefined;
    const { href, hash } = new URL(reference, base);
    const document = href.slice(0, href.length - hash.length);
    const fragment = decoded(hash.slice(1));
    const root = places.get(document);
    if (fragment === '') return root;
    if (!fragment.startsWith('/')) return places.get(`${document}#${fragment}`);
    return fragment.split('/').slice(1).reduce<unknown>(member, root);
  }

  return {
    hasUnevaluated,
    baseOf: (schema) => bases.get(schema) ?? NOWHERE,
    rootOf: (base) => places.get(base),
    dynamic: (base, name) => dynamics.get(`${base}#${name}`),
    resolve(reference, base) {
      const key = `${base} ${reference}`;
      const known = resolved.get(key);
      if (known !== undefined) return known;
      const found = find(reference, base);
      if (typeof found !== 'boolean' && !isRecord(found)) throw new Error(`Unresolved $ref "${reference}"`);
      resolved.set(key, found);
      return found;
    },
  };
}

/** RFC 6901, section 4. */
function member(value: unknown, token: string): unknown {
  const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
  if (Array.isArray(value)) return value[Number(key)];
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
