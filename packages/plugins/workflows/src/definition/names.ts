import type { Expression } from '../expressions/expression.ts';
import { hintOf } from '../nearest.ts';

/** What the names of an expression may stand for where it is written. */
export interface Names {
  /** What can begin a path: `inputs`, `steps`, … */
  readonly roots: readonly string[];
  readonly inputs: ReadonlySet<string>;
  /** Steps or nodes, under the root that they have. */
  readonly work: { readonly root: 'steps' | 'nodes'; readonly ids: ReadonlySet<string> };
  readonly state?: ReadonlySet<string>;
}

export interface NameFault {
  readonly message: string;
  readonly at: number;
}

/** What of a step or node an expression can ask. */
const MEMBERS = { steps: ['output', 'status'], nodes: ['output', 'visits'] } as const;

/** Holds every path of an expression to what there is. @returns the steps or nodes that it names */
export function checkNames(expression: Expression, names: Names, faults: NameFault[]): readonly string[] {
  const found: string[] = [];
  const visit = (each: Expression): void => {
    const path = pathOf(each);
    if (path) {
      found.push(...checkPath(path, names, faults));
      for (const key of path.keys) if (typeof key === 'object') visit(key);
      return;
    }
    for (const part of partsOf(each)) visit(part);
  };
  visit(expression);
  return found;
}

interface NamedPath {
  readonly root: string;
  readonly at: number;
  /** Static ones as they are, others as what gives them. */
  readonly keys: readonly (string | number | Expression)[];
}

function pathOf(expression: Expression): NamedPath | undefined {
  const keys: (string | number | Expression)[] = [];
  let at = expression;
  for (;;) {
    if (at.type === 'name') return { root: at.name, at: at.at, keys: keys.reverse() };
    if (at.type === 'member') keys.push(at.name);
    else if (at.type === 'index') {
      const { index } = at;
      const isStatic =
        index.type === 'literal' && (typeof index.value === 'string' || typeof index.value === 'number');
      keys.push(isStatic ? (index.value as string | number) : index);
    } else return undefined;
    at = at.of;
  }
}

function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.type) {
    case 'literal':
    case 'name':
      return [];
    case 'member':
    case 'not':
      return [expression.of];
    case 'index':
      return [expression.of, expression.index];
    case 'call':
      return expression.arguments;
    case 'binary':
      return [expression.left, expression.right];
    case 'choice':
      return [expression.condition, expression.yes, expression.no];
  }
}

function checkPath({ root, at, keys }: NamedPath, names: Names, faults: NameFault[]): readonly string[] {
  const fault = (message: string): readonly string[] => {
    faults.push({ message, at });
    return [];
  };
  const [first, second] = keys;
  if (!names.roots.includes(root)) return fault(unknownRoot(root, names.roots));
  if (root === 'inputs' || root === 'state') {
    const known = root === 'inputs' ? names.inputs : (names.state ?? new Set());
    if (typeof first !== 'string' || known.has(first)) return [];
    return fault(`there is no ${root === 'inputs' ? 'input' : 'state'} "${first}"${hintOf(first, known)}`);
  }
  if (root !== names.work.root) return [];
  const { ids } = names.work;
  const what = root === 'steps' ? 'step' : 'node';
  if (typeof first !== 'string') return fault(`name the ${what} itself: ${root}.<id>`);
  if (!ids.has(first)) return fault(`there is no ${what} "${first}"${hintOf(first, ids)}`);
  const members = MEMBERS[names.work.root];
  if (second === undefined || (typeof second === 'string' && members.some((each) => each === second))) {
    return [first];
  }
  const asked = typeof second === 'object' ? '[…]' : String(second);
  fault(`of a ${what} there is no "${asked}"${hintOf(asked, members)}`);
  return [first];
}

function unknownRoot(root: string, roots: readonly string[]): string {
  const outside = ['env', 'secrets', 'process', 'vars', 'config'].includes(root)
    ? ' (the environment and secrets are out of reach of a workflow; pass what it needs as an input)'
    : '';
  return `"${root}" stands for nothing here${outside || hintOf(root, roots)}${outside ? `; there are ${roots.join(', ')}` : ''}`;
}
