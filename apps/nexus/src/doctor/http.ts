import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isLoopback } from '@nexus/transports/http';
import { loadConfig } from '../loaded-config/load-config.ts';
import { readTls } from '../server/read-tls.ts';
import type { Check } from './check.ts';

/** What can be wrong with the HTTP way in before it is opened. */
export const http: Check = {
  name: 'HTTP',
  async run(source) {
    const loaded = await loadConfig(source);
    const { host, port } = loaded.config.http;
    if (port === undefined) return { status: 'ok', saw: 'off; `nexus serve --http [host:]port` opens it' };
    const tls = await readTls(loaded);
    const where = `${host}:${port}${tls ? ' with TLS' : ''}`;
    const tokenFile = join(loaded.dataDir, 'http-token');
    const { mode } = (await stat(tokenFile).catch(() => undefined)) ?? {};
    if (mode !== undefined && process.platform !== 'win32' && (mode & 0o077) !== 0) {
      return {
        status: 'failed',
        saw: `${tokenFile} is open to other users`,
        fix: 'delete it; a new one is made',
      };
    }
    if (!tls && !isLoopback(host)) {
      const fix = 'set http.tls, or put a proxy with TLS in front and listen on loopback';
      return { status: 'warning', saw: `${where}: tokens cross the network unencrypted`, fix };
    }
    return { status: 'ok', saw: `${where}, bearer token in ${tokenFile}` };
  },
};
