import type { PlainSchema } from './plain-check.ts';
import { ConfigSchema } from './schema.ts';

/**
 * The config's JSON Schema. The build puts a module in the place of this one that has it written down: a config
 * that is right is checked by it alone.
 */
export const configSchema = ConfigSchema.toJSONSchema({ io: 'input' }) as PlainSchema;
