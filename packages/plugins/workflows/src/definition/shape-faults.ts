// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions are written like that
import type { z } from 'zod';
import { hintOf } from '../nearest.ts';
import type { Fault, Path } from './fault.ts';
import type { Source } from './source.ts';

/** What a schema finds wrong with a part of a file, each where it stands. */
export function shapeFaults(
  error: z.ZodError,
  {
    source,
    schema,
    under = [],
    isOpen = () => false,
  }: {
    source: Source;
    schema: z.ZodType;
    under?: Path;
    /** Whether what stands there is known only later: its value is no fault. Which keys there are is known. */
    isOpen?: (path: Path) => boolean;
  },
): Fault[] {
  return error.issues.flatMap((issue): Fault[] => {
    const path = [...under, ...issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key))];
    if (issue.code === 'unrecognized_keys') {
      const allowed = keysAt(schema, issue.path);
      return issue.keys.map((key) =>
        source.keyFault(path, key, `there is no "${key}" here${hintOf(key, allowed)}`),
      );
    }
    if (issue.code === 'invalid_key') {
      const why = issue.issues[0]?.message ?? issue.message;
      return [source.keyFault(path.slice(0, -1), String(path.at(-1)), `the name ${why}`)];
    }
    if (issue.input === undefined && issue.code === 'invalid_type' && !isWritten(source, path)) {
      const name = String(path.at(-1) ?? 'the file');
      return [source.fault(path.slice(0, -1), `"${name}" is missing`)];
    }
    return isOpen(path) ? [] : [source.fault(path, wordsOf(issue))];
  });
}

function wordsOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') {
    return `must be one of ${issue.values.map(String).join(', ')}`;
  }
  if (issue.code === 'invalid_union') return 'is neither a literal nor an expression, ${{ … }}';
  return issue.message;
}

function isWritten(source: Source, path: Path): boolean {
  let at = source.value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return false;
    at = (at as Record<string, unknown>)[key];
  }
  return true;
}

interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: SchemaNode;
  readonly items?: SchemaNode;
}

function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let at = schema.toJSONSchema({ io: 'input' }) as SchemaNode;
  for (const key of path) {
    at = at.properties?.[String(key)] ?? at.items ?? at.additionalProperties ?? {};
  }
  return Object.keys(at.properties ?? {});
}
