import { configText } from '../config/config-text.ts';
import { variableNames } from '../config/expansion/index.ts';

/**
 * The host's variables that the config names: all that its expansion needs, and nothing else of the host's
 * environment goes to another process. The text is not parsed, since a bridge loads no parser.
 */
export function sessionEnvironment(
  configFile: string | undefined,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  if (configFile === undefined) return {};
  let text: string;
  try {
    text = configText(configFile);
  } catch {
    // The server that reads it whole says what is wrong with it.
    return {};
  }
  return Object.fromEntries(
    variableNames(text).flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
