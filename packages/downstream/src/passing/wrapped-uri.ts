import type { ServerAddress } from '../server-address.ts';

const SCHEME = 'toolbox://';

/** The URI under which a resource is listed whose own one is another server's already. */
export function wrapUri({ toolbox, server }: ServerAddress, uri: string): string {
  return SCHEME + [toolbox, server, uri].map(encodeURIComponent).join('/');
}

export function unwrapUri(uri: string): (ServerAddress & { readonly uri: string }) | undefined {
  if (!uri.startsWith(SCHEME)) return undefined;
  const [toolbox, server, inner, ...more] = uri.slice(SCHEME.length).split('/').map(decoded);
  if (toolbox === undefined || server === undefined || inner === undefined || more.length > 0)
    return undefined;
  return { toolbox, server, uri: inner };
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
