import { apiSource } from './api/api-source.ts';
import { type CliSurroundings, cliSource } from './cli/cli-source.ts';
import { CLI_NAMES } from './cli/find-cli.ts';
import { hostSource } from './host/host-source.ts';
import { apiNames } from './is-any-found.ts';
import type { ModelsSettings } from './settings.ts';
import type { ModelSource } from './source.ts';

/** Every source there may be, found or not, in the config's order; the host comes last unless it says otherwise. */
export function findSources(settings: ModelsSettings, around: CliSurroundings): ModelSource[] {
  const usual = [...apiNames(settings.providers), ...CLI_NAMES, 'host'];
  const first = settings.order.filter((name) => usual.includes(name));
  return [...new Set([...first, ...usual])].map((name) => {
    if (name === 'host') return hostSource(settings);
    return CLI_NAMES.includes(name) ? cliSource(name, settings, around) : apiSource(name, settings, around);
  });
}
