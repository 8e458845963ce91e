import { text, tool } from './tool.mjs';

const ICON = {
  src: 'data:image/svg+xml;base64,PHN2Zy8+',
  mimeType: 'image/svg+xml',
  sizes: ['any'],
  theme: 'dark',
};

/** Every construct of JSON Schema 2020-12, and every key a tool may have, known or not. */
export function schemaTools({ schemas }) {
  if (!schemas) return [];
  return [
    tool({
      zzz_unknown_first: 'kept, and kept first',
      name: 'every_construct',
      title: 'Every construct 🧰',
      description: 'Its schemas use all that JSON Schema 2020-12 has.',
      inputSchema: EVERY_CONSTRUCT,
      outputSchema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        oneOf: [{ required: ['ok'] }, { required: ['error'] }],
        properties: { ok: { type: 'boolean' }, error: { type: ['string', 'null'] } },
        unevaluatedProperties: false,
      },
      annotations: {
        title: 'Every construct, annotated',
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
        unknownHint: 'kept',
      },
      icons: [ICON],
      execution: { taskSupport: 'forbidden' },
      _meta: { 'example.com/a': { nested: [1, { deep: null }] }, progressToken: 'not a token here' },
      unknownKey: { kept: [true, null, 'ü'] },
      call: (args) => ({ ...text(JSON.stringify(args)), structuredContent: { ok: true } }),
    }),
    tool({
      name: 'old_dialect',
      description: 'Draft 7, by its own word.',
      inputSchema: {
        $schema: 'http://json-schema.org/draft-07/schema#',
        definitions: { tag: { type: 'string', maxLength: 8 } },
        type: 'object',
        properties: {
          tags: { type: 'array', items: [{ $ref: '#/definitions/tag' }], additionalItems: false },
          self: { $ref: '#/properties/tags' },
        },
        dependencies: { self: ['tags'] },
      },
      call: (args) => text(JSON.stringify(args)),
    }),
    tool({
      name: 'no_properties',
      description: 'An object, and nothing said of it.',
      inputSchema: { type: 'object' },
      call: (args) => text(JSON.stringify(args)),
    }),
    tool({
      name: 'union_at_top',
      inputSchema: {
        type: 'object',
        anyOf: [
          { properties: { a: { type: 'string' } }, required: ['a'] },
          { properties: { b: { type: 'number' } }, required: ['b'] },
        ],
      },
      call: (args) => text(JSON.stringify(args)),
    }),
    tool({
      name: 'output_mismatch',
      description: 'Promises a number and answers text.',
      outputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
      call: () => ({ ...text('no number'), structuredContent: { n: 'none' } }),
    }),
  ];
}

const EVERY_CONSTRUCT = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://example.com/schemas/every-construct',
  $comment: 'one of each',
  $defs: {
    node: {
      $anchor: 'node',
      $dynamicAnchor: 'tree',
      type: 'object',
      properties: { value: true, children: { type: 'array', items: { $dynamicRef: '#tree' } } },
    },
    never: false,
  },
  type: 'object',
  title: 'All of it',
  properties: {
    text: { type: 'string', minLength: 0, maxLength: 9, pattern: '^[a-zü]*$', format: 'email' },
    encoded: {
      type: 'string',
      contentEncoding: 'base64',
      contentMediaType: 'application/json',
      contentSchema: { type: 'object' },
    },
    number: { type: 'number', multipleOf: 0.5, exclusiveMinimum: -1e21, exclusiveMaximum: 1e21 },
    integer: { type: 'integer', minimum: -3, maximum: 3, default: 0 },
    choice: { enum: ['a', 1, null, { b: [] }], examples: ['a'] },
    fixed: { const: { k: 'v' } },
    nullable: { type: ['string', 'null'] },
    list: {
      type: 'array',
      prefixItems: [{ type: 'string' }, { type: 'number' }],
      items: false,
      minItems: 0,
      maxItems: 2,
      uniqueItems: true,
    },
    holding: {
      type: 'array',
      contains: { const: 1 },
      minContains: 0,
      maxContains: 2,
      unevaluatedItems: true,
    },
    tree: { $ref: '#/$defs/node' },
    anchored: { $ref: '#node' },
    sibling: { $ref: '#/properties/text', description: 'a reference into another property' },
    both: { allOf: [{ type: 'object' }, { minProperties: 0, maxProperties: 9 }] },
    either: { anyOf: [{ type: 'string' }, { type: 'boolean' }] },
    one: { oneOf: [{ type: 'string' }, { type: 'integer' }] },
    not: { not: { type: 'array' } },
    conditional: {
      if: { properties: { kind: { const: 'x' } } },
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
      then: { required: ['x'] },
      else: { required: ['y'] },
    },
    map: {
      type: 'object',
      patternProperties: { '^x-': { type: 'string' } },
      propertyNames: { maxLength: 20 },
      additionalProperties: { type: 'number' },
    },
    strange: {
      type: 'object',
      unevaluatedProperties: false,
      dependentRequired: { a: ['b'] },
      dependentSchemas: { c: true },
    },
    old: { type: 'string', deprecated: true, readOnly: true, writeOnly: false },
    'a key with spaces, ü and "quotes"': {},
    unknownKeyword: { type: 'string', 'x-unknown': { kept: true } },
  },
  required: [],
  additionalProperties: true,
};
