import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import type { jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js';

/**
 * The SDK's server builds an Ajv for each session, to check answers to elicitation that may never come.
 * This one is built for the first such answer.
 */
export function lazySchemaValidator(): jsonSchemaValidator {
  let validator: jsonSchemaValidator | undefined;
  return {
    getValidator(schema) {
      validator ??= new AjvJsonSchemaValidator();
      return validator.getValidator(schema);
    },
  };
}
