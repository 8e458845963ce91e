import { circlesOf } from '@nexus/primitives';
import { isRecord } from '../expressions/values.ts';
import { hintOf } from '../nearest.ts';
import { checkEdges } from './check-edges.ts';
import { checkWork } from './check-work.ts';
import type { Fault, Path } from './fault.ts';
import { FileCheck, recordsOf } from './file-check.ts';
import { fitsType, inputTypes } from './input-types.ts';
import type { Names } from './names.ts';
import { scheduleFault } from './schedule.ts';
import type { Source } from './source.ts';

type FileMembers = Readonly<Record<string, unknown>>;

/** Everything that a schema can't say of a file, found all at once and also where its shape is wrong elsewhere. */
export function checkFile(source: Source): Fault[] {
  if (!isRecord(source.value)) return [];
  const check = new FileCheck(source);
  const file = source.value;
  const inputs = checkInputs(check, file);
  checkGroup(check, file, inputs);
  checkSchedule(check, file, inputs);
  if (Array.isArray(file.nodes)) checkGraph(check, file, inputs);
  else checkSteps(check, file, inputs);
  return check.faults;
}

function checkSchedule(
  check: FileCheck,
  { schedule, inputs: declared }: FileMembers,
  names: ReadonlySet<string>,
): void {
  if (!isRecord(schedule)) return;
  const { cron, timezone, inputs = {} } = schedule;
  if (typeof cron === 'string' && (timezone === undefined || typeof timezone === 'string')) {
    const fault = scheduleFault({ cron, timezone });
    if (fault) check.add(['schedule', fault.key], fault.message);
  }
  if (!isRecord(inputs)) return;
  for (const name of Object.keys(inputs)) {
    if (names.has(name)) continue;
    check.add(['schedule', 'inputs', name], `there is no input "${name}"${hintOf(name, names)}`);
  }
  for (const { each } of recordsOf(declared)) {
    if (each.required !== true || Object.hasOwn(inputs, String(each.name))) continue;
    check.add(['schedule', 'inputs'], `"${each.name}" is missing, which a run can't begin without`);
  }
}

/** Known before the run begins, so of its inputs alone. */
function checkGroup(check: FileCheck, { concurrency }: FileMembers, inputs: ReadonlySet<string>): void {
  if (!isRecord(concurrency)) return;
  const work = { root: 'steps', ids: new Set<string>() } as const;
  check.value(concurrency.group, ['concurrency', 'group'], { roots: ['inputs'], inputs, work });
}

function checkSteps(check: FileCheck, file: FileMembers, inputs: ReadonlySet<string>): void {
  const ids = uniqueIds(check, file.steps, ['steps'], 'id');
  const names: Names = { roots: ['inputs', 'steps'], inputs, work: { root: 'steps', ids } };
  const needs = new Map<string, Set<string>>();
  const indexes = new Map<string, number>();
  for (const { each: step, index } of recordsOf(file.steps)) {
    const path: Path = ['steps', index];
    const named = [
      ...checkWork(check, step, path, names),
      ...check.expression(step.if, [...path, 'if'], names),
    ];
    const { id } = step;
    if (typeof id !== 'string') continue;
    const stated = Array.isArray(step.needs) ? step.needs : [];
    stated.forEach((need: unknown, at) => {
      if (typeof need !== 'string' || ids.has(need)) return;
      check.add([...path, 'needs', at], `there is no step "${need}"${hintOf(need, ids)}`);
    });
    indexes.set(id, index);
    needs.set(id, new Set([...stated, ...named].filter((need): need is string => ids.has(String(need)))));
  }
  for (const circle of circlesOf(needs)) {
    const [first = ''] = circle;
    const way = [...circle, first].join(' needs ');
    check.add(
      ['steps', indexes.get(first) ?? 0, 'needs'],
      `${way}: none of them can begin. A workflow goes forward only; a graph can go back.`,
    );
  }
  check.value(file.outputs, ['outputs'], names);
}

function checkGraph(check: FileCheck, file: FileMembers, inputs: ReadonlySet<string>): void {
  const ids = uniqueIds(check, file.nodes, ['nodes'], 'id');
  const keys = isRecord(file.state) ? Object.keys(file.state) : [];
  for (const key of keys) assertUsable(check, key, ['state', key]);
  const state = new Set(keys);
  const names: Names = {
    roots: ['inputs', 'state', 'nodes', 'visit'],
    inputs,
    work: { root: 'nodes', ids },
    state,
  };
  const after: Names = { ...names, roots: [...names.roots, 'output'] };
  check.value(file.state, ['state'], { ...names, roots: ['inputs'] });
  for (const { each: node, index } of recordsOf(file.nodes)) {
    const path: Path = ['nodes', index];
    checkWork(check, node, path, names);
    check.value(node.set, [...path, 'set'], after);
    for (const key of isRecord(node.set) ? Object.keys(node.set) : []) {
      if (state.has(key)) continue;
      const message = `there is no "${key}" in state, which says what there is${hintOf(key, state)}`;
      check.faults.push(check.source.keyFault([...path, 'set'], key, message));
    }
  }
  checkEdges(check, file, ids, after);
  check.value(file.outputs, ['outputs'], { ...names, roots: ['inputs', 'state', 'nodes'] });
}

function checkInputs(check: FileCheck, { inputs }: FileMembers): ReadonlySet<string> {
  const names = uniqueIds(check, inputs, ['inputs'], 'name');
  for (const { each, index } of recordsOf(inputs)) {
    const type = inputTypes.find((known) => known === (each.type ?? 'string'));
    if (each.default === undefined || type === undefined || fitsType(each.default, type)) continue;
    check.add(['inputs', index, 'default'], `is no ${type}, which the input takes`);
  }
  return names;
}

function uniqueIds(check: FileCheck, list: unknown, path: Path, key: 'id' | 'name'): ReadonlySet<string> {
  const seen = new Map<string, number>();
  for (const { each, index } of recordsOf(list)) {
    const id = each[key];
    if (typeof id !== 'string') continue;
    const at = [...path, index, key];
    const before = seen.get(id);
    if (before === undefined) seen.set(id, index);
    else {
      const { line } = check.source.placeOf([...path, before, key]);
      check.add(at, `"${id}" is the ${key} of another one already, in line ${line}`);
    }
    assertUsable(check, id, at);
  }
  return new Set(seen.keys());
}

/** Names that every object has, whatever was put into it. */
function assertUsable(check: FileCheck, name: string, at: Path): void {
  if (name in Object.prototype) check.add(at, `"${name}" is reserved; choose another name`);
}
