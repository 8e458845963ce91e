import type { Config } from './schema.ts';

/** What of the HTTP section does not go together. */
export function httpFault({
  auth,
  publicUrl,
}: Pick<Config['http'], 'auth' | 'publicUrl'>):
  | { readonly path: string[]; readonly message: string }
  | undefined {
  if (auth.issuer === undefined || auth.audience !== undefined || publicUrl !== undefined) return undefined;
  const message = 'a token must be meant for this server: name its audience, or http.publicUrl';
  return { path: ['auth', 'audience'], message };
}
