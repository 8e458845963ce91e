import type { Carrier } from './carrier.ts';
import { type ConnectOptions, DEFAULT_CAPABILITIES } from './connect-options.ts';
import type { Connection } from './connection.ts';
import { type Mask, maskSecrets, secretNames } from './mask-secrets.ts';
import { openStdio } from './process/stdio-carrier.ts';
import { attemptSignal } from './session/attempt-signal.ts';
import { openSession, startError } from './session/open-session.ts';
import type { ConnectionSettings } from './settings.ts';

/**
 * Opens a session with a server, whose words are a stranger's. Whatever was started for an attempt that fails is ended again.
 * @throws {ConnectionError} it can't be started, does not answer in time, answers wrongly, or ends
 * @throws the signal's reason
 */
export async function connectServer(
  settings: ConnectionSettings,
  options: ConnectOptions,
): Promise<Connection> {
  const { serverName, capabilities = DEFAULT_CAPABILITIES } = options;
  const { mask, end } = maskSecrets(settings);
  const stranger = options.toolbox === undefined ? serverName : `${options.toolbox}/${serverName}`;
  for (const name of secretNames(settings)) options.secretUsed?.({ name, by: `server ${stranger}` });
  try {
    using attempt = attemptSignal(options);
    const { signal } = attempt;
    const carrier = await openCarrier(settings, { ...options, signal }, mask).catch((error) => {
      throw startError(error, { serverName, mask, stderrTail: undefined });
    });
    // Awaited here: the attempt's time counts until the session stands.
    const connection = await openSession(carrier, { ...options, capabilities, mask, signal, stranger });
    void connection.closed.then(end);
    return connection;
  } catch (error) {
    end();
    throw error;
  }
}

async function openCarrier(
  settings: ConnectionSettings,
  options: ConnectOptions & { readonly signal: AbortSignal },
  mask: Mask,
): Promise<Carrier> {
  if (settings.transport === 'stdio') return openStdio(settings, options, mask);
  const { openHttp } = await import('./http/http-carrier.ts');
  return openHttp(settings, options, mask);
}
