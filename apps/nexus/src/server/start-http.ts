import { join } from 'node:path';
import type { Log } from '@nexus/plugin-sdk';
import { ensureTokenFile, type HttpServer, isLoopback, startHttpServer } from '@nexus/transports/http';
import { holdSecrets } from '@nexus/untrusted/secrets';
import type { Nexus } from '../boot/boot.ts';
import type { LoadedConfig } from '../loaded-config/load-config.ts';
import type { HttpAddress } from './http-address.ts';
import { createMetrics } from './metrics.ts';
import { readTls } from './read-tls.ts';

/** What the command line says of HTTP; it wins over the config. */
export interface HttpChoice extends HttpAddress {
  readonly hasAuth: boolean;
}

export interface RunningHttp extends HttpServer {
  /** Where the bearer token is; undefined where none is needed. */
  readonly tokenFile: string | undefined;
}

/** A quick answer is plain JSON; whatever takes longer can be taken up again after a break. */
const STREAM_AFTER_MS = 200;
/** For a client that has asked and does not read. */
const STALL_MS = 30_000;

export async function startHttp(
  nexus: Nexus,
  loaded: LoadedConfig,
  { log, choice }: { log: Log; choice: HttpChoice },
): Promise<RunningHttp> {
  const { http } = loaded.config;
  const { host = http.host, port = http.port ?? 0 } = choice;
  const tokenFile = choice.hasAuth ? join(loaded.dataDir, 'http-token') : undefined;
  const token = tokenFile && (await ensureTokenFile(tokenFile));
  const lookFile =
    choice.hasAuth && http.auth.lookToken ? join(loaded.dataDir, 'http-look-token') : undefined;
  const lookToken = lookFile && (await ensureTokenFile(lookFile));
  holdSecrets([token, lookToken].filter((each) => each !== undefined));
  const metrics = createMetrics(nexus, () => server.counts());
  await nexus.audit.record({
    kind: 'way.opened',
    data: { way: 'http', host, port, hasAuth: choice.hasAuth, hasTls: http.tls !== undefined },
  });
  const server = await startHttpServer({
    ...http,
    host,
    port,
    tls: await readTls(loaded),
    auth: token ? { token, lookToken, jwt: jwtOptions(http) } : undefined,
    limits: { ...http, streamAfterMs: STREAM_AFTER_MS, stallMs: STALL_MS },
    log,
    accept: (channel) => void nexus.serve(channel),
    metrics: metrics.render,
  });
  if (!http.tls && !isLoopback(host))
    log.warn('tokens cross the network unencrypted; set http.tls', { host });
  return { ...server, tokenFile };
}

function jwtOptions({ auth, publicUrl }: LoadedConfig['config']['http']) {
  const { issuer } = auth;
  if (issuer === undefined) return undefined;
  // The schema demands one of the two beside an issuer.
  return { ...auth, issuer, audience: auth.audience ?? [`${publicUrl?.replace(/\/$/, '')}/mcp`] };
}
