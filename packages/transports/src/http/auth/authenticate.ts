import { isEqualSecret } from '@nexus/untrusted/secrets';

/** Says who calls, or why nobody is believed. */
export type Authenticate = (authorization: string | undefined) => Promise<Verdict>;

export type Verdict =
  /** What a session is bound to. */
  | { readonly owner: string }
  | { readonly fault: 'missing' | 'invalid' | 'unavailable'; readonly reason: string };

/** Judges a JSON Web Token. */
export type VerifyJwt = (token: string) => Promise<Verdict>;

const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** @param verifyJwt where an issuer is configured; its tokens count beside the server's own */
export function bearerAuthentication(token: string, verifyJwt?: VerifyJwt): Authenticate {
  return async (authorization) => {
    const [, given] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? [];
    if (given === undefined) return { fault: 'missing', reason: 'a bearer token is needed' };
    if (isEqualSecret(given, token)) return { owner: 'token' };
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
export const noAuthentication: Authenticate = async () => ({ owner: 'anyone' });
