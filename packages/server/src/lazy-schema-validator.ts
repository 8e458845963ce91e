import type { jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js';

/** Checks the user's answers to forms. */
export interface LazySchemaValidator extends jsonSchemaValidator {
  /** Before the first form is sent: the SDK then asks for the validator at once. */
  load(): Promise<void>;
}

/**
 * The SDK's server builds an Ajv for each session, for forms that may never be sent. This one is loaded
 * for the first form.
 */
export function lazySchemaValidator(): LazySchemaValidator {
  let validator: jsonSchemaValidator | undefined;
  return {
    async load() {
      if (validator) return;
      const { AjvJsonSchemaValidator } = await import('@modelcontextprotocol/sdk/validation/ajv');
      validator = new AjvJsonSchemaValidator();
    },
    getValidator(schema) {
      if (!validator) throw new Error('load() the validator before a form is sent');
      return validator.getValidator(schema);
    },
  };
}
