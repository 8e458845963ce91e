import type { ServerConfig } from './toolboxes-section.ts';

export const TRANSPORTS = ['stdio', 'http', 'streamable-http', 'sse'] as const;

/** @returns how the server is reached, stated or told by what it has */
export function transportOf({
  transport,
  type,
  url,
}: Pick<ServerConfig, 'transport' | 'type' | 'url'>): 'stdio' | 'http' | 'sse' {
  return kindOf(transport ?? type ?? (url === undefined ? 'stdio' : 'http'));
}

function kindOf(transport: (typeof TRANSPORTS)[number]): 'stdio' | 'http' | 'sse' {
  return transport === 'streamable-http' ? 'http' : transport;
}

/** What of a server's settings does not go together, by key: beyond what its schema says of each. */
export function serverFaults(
  server: Pick<
    ServerConfig,
    'transport' | 'type' | 'command' | 'url' | 'args' | 'env' | 'cwd' | 'headers' | 'oauth'
  >,
): { readonly key: string; readonly message: string }[] {
  const { transport, type, command, url } = server;
  if (transport && type && kindOf(transport) !== kindOf(type)) {
    return [
      { key: 'type', message: `says otherwise than transport, which is ${transport}; keep one of them` },
    ];
  }
  if (command !== undefined && url !== undefined) {
    return [{ key: 'url', message: 'a server has a command or a url, not both' }];
  }
  const kind = transportOf(server);
  if (kind === 'stdio') {
    return [
      ...(command === undefined
        ? [{ key: 'command', message: 'a stdio server needs the command that starts it' }]
        : []),
      ...(['url', 'headers', 'oauth'] as const)
        .filter((key) => isGiven(server[key]))
        .map((key) => ({ key, message: 'is for http and sse servers; this one is stdio' })),
    ];
  }
  return [
    ...(url === undefined ? [{ key: 'url', message: `an ${kind} server needs the url where it is` }] : []),
    ...(['command', 'args', 'env', 'cwd'] as const)
      .filter((key) => isGiven(server[key]))
      .map((key) => ({ key, message: `is for stdio servers; this one is ${kind}` })),
    ...Object.entries(server.headers)
      .filter(([name, value]) => !isHeader(name, value))
      .map(([name]) => ({ key: 'headers', message: `${name} is no header that can be sent` })),
  ];
}

function isGiven(value: unknown): boolean {
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : value !== undefined;
}

function isHeader(name: string, value: string): boolean {
  try {
    return new Headers([[name, value]]).has(name);
  } catch {
    return false;
  }
}
