import type { ServerSettings } from '../settings.ts';
import { stableHash } from '../stable-hash.ts';

/** The same for settings that make the same connection, however its tools are filtered or named. */
export function connectionKey(settings: ServerSettings): string {
  const { toolFilters: _filters, tools: _tools, timeoutMs: _timeout, ...rest } = settings;
  return stableHash(rest);
}

/**
 * Which list of tools a server of these settings gives, as far as that can be told without what may be
 * secret: a token that was changed changes no list.
 */
export function catalogueKey({ transport, command, args, cwd, url, env, headers }: ServerSettings): string {
  const names = { env: Object.keys(env).sort(), headers: Object.keys(headers).sort() };
  return stableHash({ transport, command, args, cwd, url: url && withoutSecrets(url), ...names });
}

function withoutSecrets(url: string): string {
  if (!URL.canParse(url)) return '';
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
