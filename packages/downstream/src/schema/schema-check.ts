import { dereference, type Schema, type SchemaDraft, validate } from '@cfworker/json-schema';
import { isRecord, type Validation } from '@nexus/core';
import { toIssues } from './issues.ts';
import { withoutFormats } from './without-formats.ts';

type Members = Readonly<Record<string, unknown>>;

/** What a tool's arguments are held to before they are sent. */
export interface SchemaCheck {
  validate(args: Members): Validation;
  /** Whether the schema declares this property at the top and the value fits it. */
  fits(key: string, value: unknown): boolean;
}

const DRAFTS: readonly [RegExp, SchemaDraft][] = [
  [/draft-0?[34]\b/, '4'],
  [/draft-0?[67]\b/, '7'],
  [/2019-09/, '2019-09'],
];
/** The dialect of a schema that names none (MCP 2025-11-25, JSON Schema usage). */
const DEFAULT_DRAFT: SchemaDraft = '2020-12';

/**
 * Interprets the schema, nothing compiled and nothing made before the first call. A schema that can't be
 * used (no schema, a `$ref` to nowhere, a pattern that does not parse) holds nothing back: its server is
 * the judge of its own arguments.
 * @param onUnusable told once
 */
export function schemaCheck(schema: Members, onUnusable: (reason: string) => void): SchemaCheck {
  let prepared: { root: Schema; lookup: ReturnType<typeof dereference> } | undefined;
  let isUnusable = false;
  const draft = draftOf(schema);
  const prepare = () => {
    const root = withoutFormats(schema) as Schema; // an object, as every inputSchema was checked to be
    prepared ??= { root, lookup: dereference(root) };
    return prepared;
  };
  /** @returns undefined where the schema can't tell */
  const judge = (value: unknown, part: (root: Schema) => Schema | boolean) => {
    if (isUnusable) return undefined;
    try {
      const { root, lookup } = prepared ?? prepare();
      return validate(value, part(root), draft, lookup, false);
    } catch (error) {
      isUnusable = true;
      onUnusable(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
      return undefined;
    }
  };
  return {
    validate(args) {
      const result = judge(args, (root) => root);
      if (result === undefined || result.valid) return { ok: true, value: args };
      return { ok: false, issues: toIssues(result.errors, schema) };
    },
    fits(key, value) {
      const { properties } = schema;
      if (!isRecord(properties) || !Object.hasOwn(properties, key)) return false;
      return judge(value, (root) => root.properties?.[key] ?? true)?.valid ?? true;
    },
  };
}

function draftOf({ $schema }: Members): SchemaDraft {
  if (typeof $schema !== 'string') return DEFAULT_DRAFT;
  return DRAFTS.find(([pattern]) => pattern.test($schema))?.[1] ?? DEFAULT_DRAFT;
}
