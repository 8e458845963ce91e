import { hintOf } from '../nearest.ts';
import type { Path } from './fault.ts';
import { type FileCheck, hasExpression } from './file-check.ts';
import { MAX_ITEMS } from './file-schema.ts';
import type { Names } from './names.ts';
import { shapeFaults } from './shape-faults.ts';
import { readUses, usesWords, withOf } from './uses.ts';

/** What a step and a node have in common: who does it, what it is given, and its items. */
export function checkWork(
  check: FileCheck,
  work: Readonly<Record<string, unknown>>,
  path: Path,
  names: Names,
): readonly string[] {
  const inItem = work.forEach === undefined ? names : { ...names, roots: [...names.roots, 'item', 'index'] };
  checkUses(check, work, path);
  return [...check.value(work.with, [...path, 'with'], inItem), ...checkItems(check, work, path, names)];
}

function checkUses(check: FileCheck, work: Readonly<Record<string, unknown>>, path: Path): void {
  const { uses, with: given } = work;
  if (typeof uses !== 'string') return;
  const read = readUses(uses);
  if (!read) {
    const hint = hintOf(uses.split(':')[0] ?? '', usesWords);
    check.add(
      [...path, 'uses'],
      `"${uses}" is none of tool:<name>, expert:<role>, vote, prove, ask and wait${hint}`,
    );
    return;
  }
  if (read.type === 'ask' || read.type === 'wait') checkPatience(check, work, path);
  const schema = withOf[read.type];
  if (!schema) return;
  const parsed = schema.safeParse(given ?? {});
  if (parsed.success) return;
  const { source } = check;
  const at = [...path, 'with'];
  check.faults.push(
    ...shapeFaults(parsed.error, {
      ...{ source, schema, under: at },
      // What an expression gives is known when it runs.
      isOpen: (place) => hasExpression(memberAt(source.value, place)),
    }),
  );
}

/** A person and a time are not tried again, and have a time limit of their own. */
function checkPatience(check: FileCheck, work: Readonly<Record<string, unknown>>, path: Path): void {
  for (const key of ['retries', 'timeoutMs']) {
    if (work[key] === undefined) continue;
    check.add([...path, key], `is of no use to ${work.uses}; \`with.expireAfter\` says how long it waits`);
  }
}

function memberAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, key) => (at as Readonly<Record<string, unknown>> | undefined)?.[key],
    value,
  );
}

function checkItems(
  check: FileCheck,
  { forEach, concurrency }: Readonly<Record<string, unknown>>,
  path: Path,
  names: Names,
): readonly string[] {
  if (forEach === undefined) {
    if (concurrency !== undefined) check.add([...path, 'concurrency'], 'is of a forEach, and there is none');
    return [];
  }
  const at = [...path, 'forEach'];
  if (!Array.isArray(forEach)) return check.expression(forEach, at, names);
  if (forEach.length > MAX_ITEMS) {
    check.add(at, `has ${forEach.length} items; at most ${MAX_ITEMS} are done`);
  }
  return check.value(forEach, at, names);
}
