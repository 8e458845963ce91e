import { z } from 'zod';
import { ToolError } from '../tool-error.ts';
import type { Declared } from './declared.ts';

const wanted = z.object({
  pick: z
    .union([
      z
        .string()
        .max(500)
        .transform((path) => [path]),
      z.array(z.string().max(500)).max(20),
    ])
    .default([]),
  offset: z.coerce.number().int().min(0).max(1e9).optional(),
  limit: z.coerce.number().int().min(1).max(1e6).optional(),
});

/** A part of a result: by paths into it, then so many items or lines of what is there. */
export interface WantedPart {
  readonly paths: readonly string[];
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

/** Who reads it. */
interface Reader {
  /** The tool that takes it, by its name. */
  readonly by: string;
  /** What is wrong with a path; undefined where nothing is. */
  pathFault(paths: readonly string[]): string | undefined;
}

const NAMES = ['pick', 'offset', 'limit'] as const;

/**
 * Which part of a tool's result is wanted, taken from what stands beside its arguments. What the tool itself declares
 * is its own, and passed on. Looked at before the call, which may change something.
 * @returns no part where all of the result is wanted
 * @throws {ToolError} NEXUS_INVALID_ARGUMENTS
 */
export function readPart(
  params: Readonly<Record<string, unknown>>,
  { names: declared, takesAny, mayDestroy }: Declared,
  { by, pathFault }: Reader,
): { readonly part: WantedPart | undefined; readonly rest: Readonly<Record<string, unknown>> } {
  const all = NAMES.filter((name) => params[name] !== undefined && !declared.includes(name));
  // Null is what some clients write for what is left out.
  const mine = all.filter((name) => params[name] !== null);
  const rest = Object.fromEntries(
    Object.entries(params).filter(([name]) => !all.some((each) => each === name)),
  );
  if (mine.length === 0) return { part: undefined, rest };
  if (takesAny && mayDestroy) {
    const one = mine.join(', ');
    throw invalid(
      `The tool may destroy and names none of its arguments, so ${one} may be meant for it or for its result, and it was not called. What is meant for it stands in arguments; leave ${one} out beside them.`,
    );
  }
  const read = wanted.safeParse(Object.fromEntries(mine.map((name) => [name, params[name]])));
  if (!read.success) {
    const [issue] = read.error.issues;
    throw invalid(`${by} can’t read ${String(issue?.path[0] ?? 'pick')}: ${issue?.message}. ${TAKES}`);
  }
  const { pick, offset, limit } = read.data;
  const fault = pathFault(pick);
  if (fault !== undefined) throw invalid(`${fault} ${TAKES}`);
  return { part: { paths: pick, offset, limit }, rest };
}

const TAKES =
  'pick takes at most 20 paths such as "total", "items[].id", "rows[0]" or ["a.b"], and [3] for the fourth member of an object; offset and limit take whole numbers.';

function invalid(message: string): ToolError {
  return new ToolError('NEXUS_INVALID_ARGUMENTS', message);
}
