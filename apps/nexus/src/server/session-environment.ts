import { configText } from '../config/config-text.ts';
import { variableNames } from '../config/expansion/index.ts';

/** By which a host's settings say how long it waits for the answer of a call, which no message of its tells. */
export const CLIENT_TIMEOUT = 'NEXUS_CLIENT_TIMEOUT_MS';

/**
 * The host's variables that the config names, and how long the host waits: nothing else of its environment goes to
 * another process. The text is not parsed, since a bridge loads no parser.
 */
export function sessionEnvironment(
  configFile: string | undefined,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  let names: readonly string[] = [];
  try {
    if (configFile !== undefined) names = variableNames(configText(configFile));
  } catch {
    // The server that reads it whole says what is wrong with it.
  }
  return Object.fromEntries(
    [...names, CLIENT_TIMEOUT].flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
