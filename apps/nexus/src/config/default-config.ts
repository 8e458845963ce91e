import { type Config, ConfigSchema } from './schema.ts';

/**
 * What holds where there is no config file, and the names of Nexus' own sections. The build puts a module in
 * the place of this one that has both written down: most starts have no file, and need no schema then.
 */
export const defaultConfig: Config = ConfigSchema.parse({});

export const ownSections: readonly string[] = Object.keys(ConfigSchema.shape);
