import { type Environment, findApi } from './api/find-api.ts';
import { KNOWN_APIS } from './api/known-apis.ts';
import { CLI_NAMES, findCli } from './cli/find-cli.ts';
import type { ProviderSettings } from './settings.ts';

type Providers = Readonly<Record<string, ProviderSettings>>;

/** The APIs there may be: those that are known, and those of the config. */
export function apiNames(providers: Providers): string[] {
  const known = Object.keys(KNOWN_APIS);
  const fixed = new Set([...known, ...CLI_NAMES, 'host']);
  return [...known, ...Object.keys(providers).filter((name) => !fixed.has(name))];
}

/** Whether there is any model besides a client's own, by what the sources themselves go by; without a network. */
export function isAnyFound(
  providers: Providers,
  around: {
    readonly environment: Environment;
    readonly findProgram: (command: string) => string | undefined;
  },
): boolean {
  return (
    apiNames(providers).some((name) => findApi(name, providers, around.environment).lack === undefined) ||
    CLI_NAMES.some((name) => findCli(name, providers, around.findProgram).isFound)
  );
}
