import { createHash, randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { whileLocked } from '@nexus/locks';
import { holdLatest } from '@nexus/untrusted/secrets';

/** Whoever holds it may be waiting for a person. */
const LOCK_WAIT_MS = 5000;

/** What one server's authorisation left behind. */
export interface Credentials {
  readonly client?: OAuthClientInformationMixed | undefined;
  readonly tokens?: OAuthTokens | undefined;
  /** What a person agreed to: see `Detour`. */
  readonly agreed?: readonly string[] | undefined;
}

export interface CredentialsFile {
  /** Anew at each call: another Nexus may have refreshed the tokens meanwhile. */
  read(): Promise<Credentials>;
  write(credentials: Credentials): Promise<void>;
  /**
   * Runs the work while no other Nexus runs its own, or after having waited a while: the other may be
   * waiting for a person. A refresh token is good for one use, and some servers revoke
   * everything when it comes twice.
   */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * One file for each server and client id, readable by this user alone.
 * @param folder made if it is not there
 */
export function credentialsFile(folder: string, serverUrl: string, clientId = ''): CredentialsFile {
  const name = createHash('sha256').update(`${serverUrl}\n${clientId}`).digest('hex').slice(0, 32);
  const path = join(folder, `${name}.json`);
  return {
    async read() {
      try {
        const found = JSON.parse(await readFile(path, 'utf8'));
        if (found.serverUrl !== serverUrl) return {};
        return hold(path, { client: found.client, tokens: found.tokens, agreed: found.agreed });
      } catch {
        // Not there yet, or broken: both mean to authorise anew.
        return {};
      }
    },
    async write(credentials) {
      hold(path, credentials);
      await makeFolder();
      const draft = `${path}.${randomUUID()}`;
      try {
        await writeFile(draft, JSON.stringify({ serverUrl, ...credentials }), { mode: 0o600, flag: 'wx' });
        await rename(draft, path);
      } finally {
        await rm(draft, { force: true });
      }
    },
    async exclusively(work) {
      await makeFolder();
      return whileLocked(`${path}.lock`, work, LOCK_WAIT_MS);
    },
  };

  async function makeFolder(): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(folder, 0o700);
  }
}

/** From now on nothing that leaves this process shows them, until others are in their place. */
function hold(path: string, credentials: Credentials): Credentials {
  const { client, tokens } = credentials;
  const secrets = [client?.client_secret, tokens?.access_token, tokens?.refresh_token, tokens?.id_token];
  holdLatest(
    path,
    secrets.filter((secret) => typeof secret === 'string'),
  );
  return credentials;
}
