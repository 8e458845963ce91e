import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { Access, VerifyJwt } from './authenticate.ts';
import { fetchOfIssuer } from './fetch-of-issuer.ts';

export interface JwtOptions {
  /** The `iss` that tokens must carry. */
  readonly issuer: string;
  /** One of these must be in `aud`. */
  readonly audience: readonly string[];
  /** Where the issuer's keys are; by default where its metadata says. */
  readonly jwksUrl?: string | undefined;
  /** Asymmetric ones only: a key that anybody can fetch must sign nothing. */
  readonly algorithms: readonly string[];
  /** What `scope` must have among its words for a caller to call tools; without it, all may. */
  readonly callScope?: string | undefined;
  /** By how much the clocks here and there may differ. */
  readonly clockToleranceS: number;
}

const FETCH_TIMEOUT_MS = 5_000;

/** Accepts what the company's issuer signed for this server (RFC 9068, RFC 8725). */
export function jwtVerifier(options: JwtOptions): VerifyJwt {
  let keys: Promise<JWTVerifyGetKey> | undefined;
  async function verify(token: string): Promise<Access> {
    keys ??= findKeys(options);
    const key = await keys.catch((error) => {
      // The issuer may be back for the next call.
      keys = undefined;
      throw error;
    });
    const { payload } = await jwtVerify(token, key, {
      issuer: options.issuer,
      audience: [...options.audience],
      algorithms: [...options.algorithms],
      clockTolerance: options.clockToleranceS,
      requiredClaims: ['exp', 'sub'],
    });
    const { iss, sub, scope } = payload;
    // jose asks only that it is there: 7 and "7", or two without a name, would be one owner.
    if (typeof sub !== 'string' || sub.trim() === '') {
      throw new errors.JWTClaimValidationFailed('"sub" must be a non-empty string', payload, 'sub');
    }
    const { callScope } = options;
    const mayCall = callScope === undefined || wordsOf(scope).includes(callScope);
    return { owner: `${iss} ${sub}`, mayCall };
  }

  return async (token) => {
    try {
      return await verify(token);
    } catch (error) {
      const fault = error instanceof errors.JOSEError && isAboutToken(error) ? 'invalid' : 'unavailable';
      return { fault, reason: error instanceof Error ? error.message : String(error) };
    }
  };
}

/** RFC 9068 has them in one text, some issuers in a list. */
function wordsOf(scope: unknown): readonly unknown[] {
  return typeof scope === 'string' ? scope.split(' ') : Array.isArray(scope) ? scope : [];
}

/** The rest is about the issuer: its keys can't be had, so nothing is said of the token. */
function isAboutToken({ code }: errors.JOSEError): boolean {
  return (
    code !== 'ERR_JOSE_GENERIC' && (!code.startsWith('ERR_JWKS_') || code === 'ERR_JWKS_NO_MATCHING_KEY')
  );
}

async function findKeys({ issuer, jwksUrl }: JwtOptions): Promise<JWTVerifyGetKey> {
  const url = new URL(jwksUrl ?? (await discover(issuer)));
  return createRemoteJWKSet(url, { timeoutDuration: FETCH_TIMEOUT_MS, [customFetch]: fetchOfIssuer });
}

/** RFC 8414 puts the well-known part before the issuer's path, OpenID Connect after it. */
async function discover(issuer: string): Promise<string> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const places = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  for (const place of places) {
    const response = await fetchOfIssuer(place, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
    if (!response.ok) continue;
    const { jwks_uri: found } = (await response.json()) as { jwks_uri?: unknown };
    if (typeof found === 'string') return found;
  }
  throw new Error(
    `the issuer ${issuer} names no jwks_uri in its metadata; http.auth.jwksUrl in the config can`,
  );
}
