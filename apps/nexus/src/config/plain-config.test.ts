import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConfigError } from './config-fault.ts';
import { configSchema } from './config-schema.ts';
import { parseConfig } from './parse.ts';
import type { PlainSchema } from './plain-check.ts';
import { plainConfig } from './plain-config.ts';
import type { RawConfig } from './raw-config.ts';

const plainly = (raw: RawConfig) => plainConfig(raw, { toolNames: new Set(), environment: {} });

function thoroughly(raw: RawConfig) {
  try {
    return parseConfig(raw, { plugins: [], environment: {}, source: 'test' });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return undefined;
  }
}

/** Values of a schema, right ones as a rule and now and then one that is nearly right. */
function valuesOf(schema: PlainSchema): fc.Arbitrary<unknown> {
  const right = rightValues(schema);
  return fc.oneof({ weight: 30, arbitrary: right }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) });
}

function rightValues(schema: PlainSchema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum, 'other');
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valuesOf));
  const { minimum: min = 0, maximum: max = 100 } = schema;
  switch (schema.type) {
    case 'object': {
      const { properties = {}, required = [], additionalProperties, propertyNames } = schema;
      const known = fc.record(
        Object.fromEntries(Object.entries(properties).map(([key, each]) => [key, valuesOf(each)])),
        { requiredKeys: [...required] },
      );
      const names = propertyNames ? fc.oneof(NAMES, valuesOf(propertyNames) as fc.Arbitrary<string>) : NAMES;
      const others = additionalProperties
        ? fc.dictionary(names.map(String), valuesOf(additionalProperties), { maxKeys: 2 })
        : fc.constant({});
      return fc.tuple(known, others).map(([one, other]) => ({ ...other, ...one }));
    }
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}), { maxLength: 3 });
    case 'string':
      return fc.oneof(TEXTS, fc.string({ maxLength: 20 }));
    case 'integer':
      return fc.oneof(fc.integer({ min, max }), fc.constantFrom(min - 1, max + 1, 1.5, 2 ** 60));
    case 'number':
      return fc.oneof(fc.double({ min, max, noNaN: true }), fc.constantFrom(min - 1, max + 1));
    case 'boolean':
      return fc.boolean();
    default:
      return fc.jsonValue({ maxDepth: 1 });
  }
}

const NAMES = fc.constantFrom('a', 'two', 'Three-3', 'nexus', '__proto__', 'constructor', '', ' x');
const TEXTS = fc.constantFrom(
  'x',
  'https://a.example/mcp',
  ' https://a.example ',
  'ftp://a.example',
  'http:/a',
  '',
);

/** One section at a time: in a whole config, nearly always something would be wrong. */
const configs = fc.oneof(
  ...Object.entries(configSchema.properties ?? {})
    .filter(([section]) => section !== 'plugins' && section !== 'tools')
    .map(([section, schema]) => valuesOf(schema).map((value) => ({ [section]: value }))),
);

describe('plainConfig', () => {
  it('is sure of nothing that zod refuses, and has what zod has', () => {
    let sure = 0;
    fc.assert(
      fc.property(configs, (raw) => {
        const plain = plainly(raw);
        if (!plain) return;
        sure++;
        expect(plain).toEqual(thoroughly(raw));
      }),
      { numRuns: 3_000 },
    );
    expect(sure).toBeGreaterThan(500);
  });

  it.each<[string, RawConfig]>([
    ['an empty file', {}],
    [
      'servers of both kinds',
      {
        toolboxes: {
          dev: {
            description: 'Files',
            autoOpen: true,
            mcpServers: {
              files: { command: 'npx', args: ['-y', 'x'], env: { PORT: 3000, DEBUG: true, NAME: 'n' } },
              far: {
                url: 'https://a.example/mcp',
                headers: { Authorization: 'Bearer x' },
                oauth: { scope: 'a' },
              },
            },
          },
        },
      },
    ],
    [
      'settings of all other sections',
      {
        server: { name: 'mine' },
        profile: 'lean',
        limits: { burst: 3 },
        permissions: { deny: ['memory_write'] },
        models: {
          order: ['ollama'],
          providers: { ollama: { baseUrl: 'http://127.0.0.1:11434', models: ['x'] } },
        },
        http: { port: 0, auth: { issuer: 'https://a.example', audience: ['b'] } },
      },
    ],
  ])('is sure of %s', (_what, raw) => {
    expect(plainly(raw)).toEqual(thoroughly(raw));
    expect(plainly(raw)).toBeDefined();
  });

  it.each<[string, RawConfig]>([
    ['a plugin’s section', { code: {} }],
    ['a tool that there is not', { tools: { nothing: {} } }],
    ['a toolbox of Nexus’ own name', { toolboxes: { nexus: { mcpServers: {} } } }],
    ['a server that is two', { toolboxes: { a: { mcpServers: { s: { command: 'x', url: 'https://a' } } } } }],
    ['an issuer whose tokens are for anybody', { http: { auth: { issuer: 'https://a.example' } } }],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: variables are written like that
    ['a variable that is missing', { server: { name: '${NOT_THERE}' } }],
  ])('leaves %s to be told of', (_what, raw) => {
    expect(plainly(raw)).toBeUndefined();
  });

  it('knows every word that the schema is written in', () => {
    const words = new Set<string>();
    const visit = (schema: PlainSchema) => {
      const { properties = {}, additionalProperties, propertyNames, items, anyOf = [] } = schema;
      Object.keys(schema).forEach((word) => void words.add(word));
      const inner = [...Object.values(properties), additionalProperties, propertyNames, items, ...anyOf];
      for (const each of inner) if (each) visit(each);
    };
    visit(configSchema);
    const known = [
      'type',
      'default',
      'properties',
      'required',
      'additionalProperties',
      'propertyNames',
      'items',
    ];
    const bounds = ['minItems', 'maxItems', 'minLength', 'maxLength', 'minimum', 'maximum'];
    const others = ['enum', 'pattern', 'format', 'anyOf', '$schema', 'title', 'description'];
    expect([...words].filter((word) => ![...known, ...bounds, ...others].includes(word))).toEqual([]);
  });
});
