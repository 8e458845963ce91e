/** What a server answered instead of doing what it was asked. */
export interface Challenge {
  /** Any token that is valid, or one of more scope. */
  readonly wants: 'token' | 'scope';
  readonly scope?: string | undefined;
  readonly resourceMetadataUrl?: URL | undefined;
  /** As written, to tell a repeated one. */
  readonly header: string;
}

/** Reads a 401, or a 403 for too little scope (RFC 6750, section 3.1); undefined for any other response. */
export function readChallenge({ status, headers }: Response): Challenge | undefined {
  const header = headers.get('www-authenticate') ?? '';
  const wantsScope = status === 403 && parameter(header, 'error') === 'insufficient_scope';
  if (status !== 401 && !wantsScope) return undefined;
  const metadata = parameter(header, 'resource_metadata');
  return {
    wants: wantsScope ? 'scope' : 'token',
    scope: parameter(header, 'scope'),
    resourceMetadataUrl: metadata !== undefined && URL.canParse(metadata) ? new URL(metadata) : undefined,
    header,
  };
}

function parameter(header: string, name: string): string | undefined {
  const [, quoted, bare] =
    new RegExp(`(?:^|[\\s,])${name}\\s*=\\s*(?:"([^"]*)"|([^\\s,]+))`, 'i').exec(header) ?? [];
  return quoted ?? bare;
}
