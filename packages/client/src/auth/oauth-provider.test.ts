import { expect, it, vi } from 'vitest';
import { AuthorizationError } from './authorization-error.ts';
import { oauthProvider } from './oauth-provider.ts';

it.each(['vscode://evil/run', 'file:///etc/passwd'])(
  'opens no address that is none of a page: %s',
  async (url) => {
    const openUrl = vi.fn();
    const provider = oauthProvider({
      credentials: {} as never,
      oauth: {},
      clientName: 'nexus',
      person: { redirectUrl: 'http://127.0.0.1/callback', state: '1', openUrl },
      absence: new AuthorizationError('needs a person'),
      forMoreScope: false,
    });
    await expect(provider.redirectToAuthorization(new URL(url))).rejects.toThrow('none of http or https');
    expect(openUrl).not.toHaveBeenCalled();
    await provider.redirectToAuthorization(new URL('https://a.test/'));
    expect(openUrl).toHaveBeenCalledTimes(1);
  },
);
