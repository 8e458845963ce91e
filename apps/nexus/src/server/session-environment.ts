import { CLIENT_TIMEOUT } from '../boot/client-timeout.ts';
import { configText } from '../config/config-text.ts';
import { variableNames } from '../config/expansion/index.ts';

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
