import type { OAuthClientProvider, OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { isPage } from '../page-address.ts';
import type { OAuthSettings } from '../settings.ts';
import { AuthorizationError } from './authorization-error.ts';
import type { CredentialsFile } from './credentials-file.ts';

export interface ProviderOptions {
  readonly credentials: CredentialsFile;
  readonly oauth: OAuthSettings;
  readonly clientName: string;
  /** Who can authorise now, and where the browser comes back to. */
  readonly person: Person | undefined;
  /** Thrown where a person is needed and none is there. */
  readonly absence: AuthorizationError;
  /** A token of more scope is wanted, which refreshing does not give. */
  readonly forMoreScope: boolean;
}

export interface Person {
  readonly redirectUrl: string;
  readonly state: string;
  openUrl(url: URL): Promise<void>;
}

/** The SDK takes a client without a redirect for a machine of its own account. Never used: see `absence`. */
const NOWHERE = 'http://127.0.0.1/callback';

/**
 * What the SDK's `auth` needs of a client, for one authorisation. The code verifier lives as long as that:
 * it is of no use to a later process, whose listener the browser does not come back to.
 */
export function oauthProvider(options: ProviderOptions): OAuthClientProvider {
  const { credentials, oauth, person } = options;
  const redirectUrl = person?.redirectUrl ?? NOWHERE;
  const isMetadataUrl = oauth.clientId?.startsWith('https://') ?? false;
  let verifier = '';
  let discovered: OAuthDiscoveryState | undefined;
  let lent: OAuthTokens | undefined;

  /** Registered by hand; where it was accepted first is remembered, so that it is shown to nobody else. */
  function configured(
    stored: OAuthClientInformationMixed | undefined,
  ): OAuthClientInformationMixed | undefined {
    const { clientId, clientSecret } = oauth;
    if (clientId === undefined || isMetadataUrl) return undefined;
    return {
      client_id: clientId,
      ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
      ...(stored?.client_id === clientId && stored.issuer !== undefined ? { issuer: stored.issuer } : {}),
    };
  }

  return {
    redirectUrl,
    ...(isMetadataUrl && oauth.clientId !== undefined ? { clientMetadataUrl: oauth.clientId } : {}),
    clientMetadata: {
      client_name: options.clientName,
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      ...(oauth.scope === undefined ? {} : { scope: oauth.scope }),
    },
    state: () => person?.state ?? '',
    async clientInformation() {
      const { client } = await credentials.read();
      const known = configured(client) ?? client;
      // A registration would be of no use without a person.
      if (known === undefined && !person) throw options.absence;
      return known;
    },
    async saveClientInformation(client) {
      // The secret of a configured client stays in the config alone.
      const { client_secret, ...rest } = client;
      const kept = oauth.clientSecret === client_secret ? rest : client;
      await credentials.write({ ...(await credentials.read()), client: kept });
    },
    async tokens() {
      const { tokens } = await credentials.read();
      lent = tokens;
      // Nobody knows any more whose a refresh token without an issuer is, so it is shown to nobody.
      const isOurs = !options.forMoreScope && tokens?.issuer !== undefined;
      if (!tokens || isOurs) return tokens;
      const { refresh_token: _, ...rest } = tokens;
      return rest;
    },
    async saveTokens(tokens) {
      await credentials.write({ ...(await credentials.read()), tokens });
    },
    async redirectToAuthorization(url) {
      if (!person) throw options.absence;
      if (!isPage(url.href))
        throw new AuthorizationError(
          `wants an address opened that is none of http or https: ${url.protocol}`,
        );
      await person.openUrl(url);
    },
    saveCodeVerifier(given) {
      verifier = given;
    },
    codeVerifier: () => verifier,
    discoveryState: () => discovered,
    saveDiscoveryState(state) {
      discovered = state;
    },
    async invalidateCredentials(scope) {
      if (scope === 'all' || scope === 'discovery') discovered = undefined;
      const { client, tokens, agreed } = await credentials.read();
      if (scope === 'all') await credentials.write({ agreed });
      if (scope === 'client') await credentials.write({ tokens, agreed });
      // Those that another Nexus has written meanwhile were not the refused ones.
      const areSame = tokens?.refresh_token === lent?.refresh_token;
      if (scope === 'tokens' && areSame) await credentials.write({ client, agreed });
    },
  };
}

/** What is told where a person is needed and none is there. */
export function needsPerson(serverUrl: string, toolbox = '<toolbox>'): AuthorizationError {
  return new AuthorizationError(
    `wants a person to authorise Nexus at ${serverUrl}: run \`nexus toolbox open ${toolbox}\` in a terminal, which opens a browser`,
  );
}

/** What is told where a person would have to agree and none is there. */
export function needsAgreement(what: string, toolbox = '<toolbox>'): AuthorizationError {
  return new AuthorizationError(
    `${what}, which a person has to agree to: run \`nexus toolbox open ${toolbox}\` in a terminal, which asks`,
  );
}
