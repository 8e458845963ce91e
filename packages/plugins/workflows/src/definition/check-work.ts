import { expertRoles } from '@nexus/plugin-sdk';
import { hintOf } from '../nearest.ts';
import type { Path } from './fault.ts';
import { type FileCheck, hasExpression } from './file-check.ts';
import { MAX_ITEMS } from './file-schema.ts';
import type { Names } from './names.ts';
import { shapeFaults } from './shape-faults.ts';
import { readUses, withOf } from './uses.ts';

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

function checkUses(
  check: FileCheck,
  { uses, with: given }: Readonly<Record<string, unknown>>,
  path: Path,
): void {
  if (typeof uses !== 'string') return;
  const read = readUses(uses);
  if (!read) {
    const hint = hintOf(uses.split(':')[0] ?? '', ['tool', 'expert', 'vote']);
    check.add([...path, 'uses'], `"${uses}" is none of tool:<name>, expert:<role> and vote${hint}`);
    return;
  }
  if (read.type === 'expert' && !expertRoles.some((role) => role === read.role)) {
    check.add([...path, 'uses'], `there is no expert "${read.role}"${hintOf(read.role, expertRoles)}`);
  }
  const schema = withOf[read.type];
  if (!schema) return;
  const parsed = schema.safeParse(given ?? {});
  if (parsed.success) return;
  const { source } = check;
  const at = [...path, 'with'];
  check.faults.push(
    ...shapeFaults(parsed.error, { source, schema, under: at }).filter(
      // What an expression gives is known when it runs.
      (fault) => !hasExpression(memberAt(source.value, fault.path)),
    ),
  );
}

function memberAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((at, key) => (at as Readonly<Record<string, unknown>> | undefined)?.[key], value);
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
