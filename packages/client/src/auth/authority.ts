import type { OAuthClientInformationMixed } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { untilAborted } from '@nexus/primitives';
import { AUTHORIZATION_TIMEOUT_MS, type Interactive } from '../connect-options.ts';
import type { OAuthSettings } from '../settings.ts';
import { AuthorizationError } from './authorization-error.ts';
import type { Challenge } from './challenge.ts';
import type { CredentialsFile } from './credentials-file.ts';
import { type Detour, guardedFetch, metadataDetour } from './guarded-fetch.ts';
import { needsAgreement, needsPerson, oauthProvider } from './oauth-provider.ts';
import { listenForRedirect } from './redirect-listener.ts';

export interface AuthorityOptions {
  readonly serverUrl: string;
  readonly toolbox?: string | undefined;
  readonly oauth: OAuthSettings;
  readonly clientName: string;
  readonly credentials: CredentialsFile;
  readonly interactive?: Interactive | undefined;
  readonly fetch: FetchLike;
  /** Ends the waiting for a person. */
  readonly signal: AbortSignal;
}

/** Gets and keeps the tokens for one server. */
export interface Authority {
  accessToken(): Promise<string | undefined>;
  /**
   * Refreshes the tokens, or gets new ones; once for all that ask at the same time.
   * @param used the token that the server did not take
   * @throws {AuthorizationError} a person is needed, refused, or did not answer in time
   */
  authorize(challenge: Challenge, used: string | undefined): Promise<void>;
}

export function createAuthority(options: AuthorityOptions): Authority {
  const { serverUrl, oauth, credentials, interactive } = options;
  const running = new Map<string, Promise<void>>();

  const accessToken = async () => (await credentials.read()).tokens?.access_token;

  /** @throws {AuthorizationError} where nobody is there to agree, or does not */
  async function admit({ key, what }: Detour): Promise<void> {
    const { agreed = [], ...rest } = await credentials.read();
    if (agreed.includes(key)) return;
    if (!interactive) throw needsAgreement(what, options.toolbox);
    const question = `The server at ${serverUrl} ${what}. Go on?`;
    if (!(await untilAborted(interactive.agree(question), options.signal))) {
      throw new AuthorizationError(`was not authorised: it ${what}, and nobody agreed`);
    }
    await credentials.write({ ...rest, agreed: [...agreed, key] });
  }

  async function authorize(challenge: Challenge, used: string | undefined): Promise<void> {
    // Another request, or another Nexus, was first.
    if (challenge.wants === 'token' && (await accessToken()) !== used) return;
    const { auth } = await import('@modelcontextprotocol/sdk/client/auth.js');
    const detour = metadataDetour(serverUrl, challenge.resourceMetadataUrl);
    if (detour) await admit(detour);
    const { client, agreed } = await credentials.read();
    await using redirect = interactive
      ? await listenForRedirect(oauth.redirectPort ?? registeredPort(client))
      : undefined;
    // A registration holds for the redirect that it was made with.
    if (redirect && client && !isRegisteredFor(client, redirect.url)) await credentials.write({ agreed });
    const provider = oauthProvider({
      credentials,
      oauth,
      clientName: options.clientName,
      person:
        redirect && interactive
          ? {
              redirectUrl: redirect.url,
              state: redirect.state,
              openUrl: (url) => interactive.openUrl(url, serverUrl),
            }
          : undefined,
      absence: needsPerson(serverUrl, options.toolbox),
      forMoreScope: challenge.wants === 'scope',
    });
    const scope = challenge.scope ?? oauth.scope;
    const request = {
      serverUrl,
      fetchFn: guardedFetch(options.fetch, serverUrl, admit),
      ...(challenge.resourceMetadataUrl && { resourceMetadataUrl: challenge.resourceMetadataUrl }),
      ...(scope !== undefined && { scope }),
    };
    if ((await auth(provider, request)) === 'AUTHORIZED' || !redirect) return;
    const authorizationCode = await untilAborted(redirect.code(AUTHORIZATION_TIMEOUT_MS), options.signal);
    await auth(provider, { ...request, authorizationCode });
  }

  return {
    accessToken,
    authorize(challenge, used) {
      const key = `${challenge.wants} ${challenge.scope}`;
      const known = running.get(key);
      if (known) return known;
      const started = credentials
        .exclusively(() => authorize(challenge, used))
        .catch((error: unknown) => {
          throw asAuthorizationError(error);
        })
        .finally(() => running.delete(key));
      running.set(key, started);
      return started;
    },
  };
}

function asAuthorizationError(error: unknown): AuthorizationError {
  if (error instanceof AuthorizationError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new AuthorizationError(`could not be authorised: ${message}`, { cause: error });
}

function redirectUris(client: OAuthClientInformationMixed | undefined): readonly string[] {
  return client && 'redirect_uris' in client ? client.redirect_uris : [];
}

function registeredPort(client: OAuthClientInformationMixed | undefined): number | undefined {
  const [first] = redirectUris(client);
  return first !== undefined && URL.canParse(first) ? Number(new URL(first).port) : undefined;
}

/** One that lists no redirects was made by hand, and is the config's business. */
function isRegisteredFor(client: OAuthClientInformationMixed, redirectUrl: string): boolean {
  const registered = redirectUris(client);
  return registered.length === 0 || registered.includes(redirectUrl);
}
