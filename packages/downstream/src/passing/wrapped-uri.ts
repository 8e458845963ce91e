import type { ServerAddress } from '../server-address.ts';

const SCHEME = 'toolbox://';
/** The server, and either a URI that is encoded or a template that is filled in. */
const WRAPPED = /^toolbox:\/\/([^/]*)\/([^/]*)\/([^/]*|[^/]*:.*)$/s;

/** The URI under which a resource is listed whose own one is another server's already, or would be taken for Nexus's. */
export function wrapUri(address: ServerAddress, uri: string): string {
  return placeOf(address) + encodeURIComponent(uri);
}

/** The same of a template, which a client has to be able to fill in: it stays as it is behind its server. */
export function wrapTemplate(address: ServerAddress, template: string): string {
  return placeOf(address) + template;
}

export function unwrapUri(uri: string): (ServerAddress & { readonly uri: string }) | undefined {
  const [, ...parts] = WRAPPED.exec(uri) ?? [];
  const [toolbox, server, inner] = parts.map(decoded);
  if (toolbox === undefined || server === undefined) return undefined;
  // What is encoded has no colon, which ends a template's scheme.
  const own = parts[2]?.includes(':') ? parts[2] : inner;
  return own === undefined ? undefined : { toolbox, server, uri: own };
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
