import { z } from 'zod';
import { graphFile, workflowFile } from './file-schema.ts';

/** The JSON Schema of workflow files, for editors; made from the definition that Nexus reads them by. */
export function workflowJsonSchema(): Record<string, unknown> {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A workflow of Nexus',
    anyOf: [workflowFile, graphFile].map((schema) => {
      const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' });
      return rest;
    }),
  };
}
