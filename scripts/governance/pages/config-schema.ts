import { isRecord } from '@nexus/core';
import { toWholeInputSchema } from '@nexus/core/definitions';
import type { Subject } from '../check.ts';

/**
 * The JSON Schema of a config file, for editors: the app's own sections and one for each bundled
 * plugin. Other keys stay open, since a plugin from elsewhere has its section too.
 */
export function configJsonSchema({ configSchema, plugins }: Pick<Subject, 'configSchema' | 'plugins'>) {
  const own = toWholeInputSchema(configSchema);
  const sections = plugins
    .filter(({ options }) => Object.keys(options.shape).length > 0)
    .map(
      ({ name, options }) => [name, describedSection(name, toWholeInputSchema(options.strict()))] as const,
    );
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Nexus config',
    type: 'object',
    properties: { ...(isRecord(own.properties) ? own.properties : {}), ...Object.fromEntries(sections) },
  };
}

function describedSection(name: string, schema: Record<string, unknown>) {
  return { ...schema, description: schema.description ?? `Options of the plugin ${name}.` };
}
