import { isEqualSecret } from '@nexus/untrusted/secrets';

/** Says who calls, or why nobody is believed. */
export type Authenticate = (authorization: string | undefined) => Promise<Verdict>;

export type Verdict =
  | Access
  | { readonly fault: 'missing' | 'invalid' | 'unavailable'; readonly reason: string };

/** Who calls and what they may; a session is bound to both. */
export interface Access {
  readonly owner: string;
  /** Whether they may call tools, or only look. */
  readonly mayCall: boolean;
}

/** Judges a JSON Web Token. */
export type VerifyJwt = (token: string) => Promise<Verdict>;

const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

export interface BearerTokens {
  readonly token: string;
  /** Of those who may look and not call. */
  readonly lookToken?: string | undefined;
}

/** @param verifyJwt where an issuer is configured; its tokens count beside the server's own */
export function bearerAuthentication(
  { token, lookToken }: BearerTokens,
  verifyJwt?: VerifyJwt,
): Authenticate {
  return async (authorization) => {
    const [, given] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? [];
    if (given === undefined) return { fault: 'missing', reason: 'a bearer token is needed' };
    if (isEqualSecret(given, token)) return { owner: 'token', mayCall: true };
    if (lookToken !== undefined && isEqualSecret(given, lookToken)) return { owner: 'look', mayCall: false };
    if (verifyJwt && JWT.test(given)) return verifyJwt(given);
    return { fault: 'invalid', reason: 'the token is not this server’s' };
  };
}

/** Who has the server's own token, or reaches one that asks for none, has its user's rights: nobody in particular. */
const OWN = new Set(['token', 'anyone']);

/** @returns who it is, where an issuer said so */
export function userOf(owner: string): string | undefined {
  return OWN.has(owner) ? undefined : owner;
}

/** For a server that only processes of this machine can reach, and whose user wants it so. */
export const noAuthentication: Authenticate = async () => ({ owner: 'anyone', mayCall: true });
