import { looksLikeOwnUri } from '@nexus/primitives';
import type { ServerAddress } from '../server-address.ts';

const SCHEME = 'toolbox://';
/** The URI under which a resource is listed whose own one is another server's already, or would be taken for Nexus's. */
export function wrapUri(address: ServerAddress, uri: string): string {
  return placeOf(address) + encodeURIComponent(uri);
}

/** The same of a template, which a client has to be able to fill in: it stays as it is behind its server. */
export function wrapTemplate(address: ServerAddress, template: string): string {
  return placeOf(address) + template;
}

export function unwrapUri(uri: string): (ServerAddress & { readonly uri: string }) | undefined {
  if (!uri.startsWith(SCHEME)) return undefined;
  const [toolbox, server, ...rest] = uri.slice(SCHEME.length).split('/');
  const [first] = rest;
  if (toolbox === undefined || server === undefined || first === undefined) return undefined;
  // What is encoded has no colon, which ends a template's scheme, and no slash.
  const isTemplate = first.includes(':');
  if (rest.length > 1 && !isTemplate) return undefined;
  const own = isTemplate ? rest.join('/') : decoded(first);
  const [of, at] = [decoded(toolbox), decoded(server)];
  if (of === undefined || at === undefined || own === undefined) return undefined;
  return { toolbox: of, server: at, uri: own };
}

/** Nexus's own, or one of a named server, however a server comes to name it. */
export function isAnothers(uri: string): boolean {
  return looksLikeOwnUri(uri) || unwrapUri(uri) !== undefined;
}

function placeOf({ toolbox, server }: ServerAddress): string {
  return `${SCHEME}${encodeURIComponent(toolbox)}/${encodeURIComponent(server)}/`;
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
