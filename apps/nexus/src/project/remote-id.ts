const DEFAULT_PORTS: Readonly<Record<string, string>> = { ssh: '22', git: '9418', http: '80', https: '443' };
/** `git@host:path`, which is no URL; a drive letter is no host. */
const SCP = /^(?:[^@/\s]+@)?(\[[^\]\s]+\]|[^:/\s]{2,}):(?!:|\/\/)(.+)$/;
const LOOPBACK = /^(localhost|127\.[\d.]+|\[?::1\]?)$/;

/**
 * What a repository's remote is called on every machine: `github.com/acme/app` for each way to write its
 * address. Credentials, the scheme, its usual port and `.git` are left out; a host's case means nothing, a
 * path's may.
 * @returns undefined for what is only this machine's: a path, a file URL, a loopback host
 */
export function remoteId(address: string): string | undefined {
  const parts = partsOf(address.trim());
  if (!parts) return undefined;
  const host = parts.host.toLowerCase();
  const path = parts.path.replace(/^\/+|(?<!\/)\/+$/g, '').replace(/\.git$/, '');
  if (path === '' || LOOPBACK.test(host.replace(/:\d+$/, ''))) return undefined;
  return `${host}/${path}`;
}

function partsOf(address: string): { host: string; path: string } | undefined {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(address)?.[1]?.toLowerCase();
  if (scheme) {
    const port = DEFAULT_PORTS[scheme];
    if (!port || !URL.canParse(address)) return undefined;
    const url = new URL(address);
    const own = url.port === '' || url.port === port ? '' : `:${url.port}`;
    return { host: `${url.hostname}${own}`, path: decoded(url.pathname) };
  }
  const [, host, path] = SCP.exec(address) ?? [];
  return host && path ? { host, path } : undefined;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
