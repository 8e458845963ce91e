import type { Config } from '../config/schema.ts';

/** The config's section of providers, as models read it. */
export function providerSettings(providers: Config['models']['providers']) {
  return Object.fromEntries(
    Object.entries(providers).map(([name, { enabled, ...rest }]) => [name, { ...rest, isEnabled: enabled }]),
  );
}
