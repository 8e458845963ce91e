import { isRecord, type ToolListing } from '@nexus/core';

type Schema = Readonly<Record<string, unknown>>;

/** Hosts whose models see of a schema its types, names and descriptions alone, by what their clients call themselves. */
const SEES_NO_LIMITS = /^codex\b/i;

export function seesNoLimits(client: string): boolean {
  return SEES_NO_LIMITS.test(client);
}

/** No pattern that is longer tells a model anything. */
const MAX_PATTERN_CHARS = 60;

const inWords = new WeakMap<ToolListing, ToolListing>();

/** The same tool, with each default and limit of its arguments said in their descriptions, too. Made once for each. */
export function withLimitsInWords(listing: ToolListing): ToolListing {
  const known = inWords.get(listing);
  if (known) return known;
  const made = { ...listing, inputSchema: withPropertiesInWords(listing.inputSchema) };
  inWords.set(listing, made);
  return made;
}

function withPropertiesInWords(schema: Schema): Schema {
  const { properties, items } = schema;
  return {
    ...schema,
    ...(isRecord(properties)
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, each]) => [
              name,
              isRecord(each) ? inItsWords(each) : each,
            ]),
          ),
        }
      : {}),
    ...(isRecord(items) ? { items: withPropertiesInWords(items) } : {}),
  };
}

function inItsWords(schema: Schema): Schema {
  const { description, default: preset, items } = schema;
  const each = isRecord(items) ? limits(items) : [];
  const said = [
    ...(preset === undefined ? [] : [`default ${JSON.stringify(preset)}`]),
    ...limits(schema),
    ...(each.length > 0 ? [`each of ${each.join(', ')}`] : []),
  ];
  const own = typeof description === 'string' ? description : '';
  const words = said.length === 0 ? own : `${own} (${said.join(', ')})`.trimStart();
  return { ...withPropertiesInWords(schema), ...(words === '' ? {} : { description: words }) };
}

function limits(schema: Schema): string[] {
  const { pattern } = schema;
  return [
    ...span(schema.minimum, schema.maximum, ''),
    ...bound('more than', schema.exclusiveMinimum),
    ...bound('less than', schema.exclusiveMaximum),
    ...span(schema.minLength, schema.maxLength, ' characters'),
    ...span(schema.minItems, schema.maxItems, ' items'),
    ...(typeof pattern === 'string' && pattern.length <= MAX_PATTERN_CHARS ? [`matching ${pattern}`] : []),
  ];
}

function span(least: unknown, most: unknown, unit: string): string[] {
  if (typeof least === 'number' && typeof most === 'number') return [`${least} to ${most}${unit}`];
  return [...bound('at least', least, unit), ...bound('at most', most, unit)];
}

function bound(words: string, value: unknown, unit = ''): string[] {
  return typeof value === 'number' ? [`${words} ${value}${unit}`] : [];
}
