import type { JsonSchemaType } from '@modelcontextprotocol/sdk/validation/types.js';
import type { Members } from '@nexus/core/json-rpc';

/**
 * What does not fit in a form that came back; undefined where all does. The validator is loaded for the first
 * form: most sessions send none.
 */
export async function formFault(schema: Members, content: unknown): Promise<string | undefined> {
  const { AjvJsonSchemaValidator } = await import('@modelcontextprotocol/sdk/validation/ajv');
  const { valid, errorMessage } = new AjvJsonSchemaValidator().getValidator(schema as JsonSchemaType)(
    content,
  );
  return valid ? undefined : (errorMessage ?? 'it does not fit its schema');
}
