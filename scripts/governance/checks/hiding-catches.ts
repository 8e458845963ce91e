import { type Argument, type Expression, type Node, parseSync, Visitor } from 'oxc-parser';
import { place, sourceFiles } from '../../workspace/source-files.ts';
import { type Check, type Finding, lookedAtNothing } from '../check.ts';

const NAME = 'hiding-catches';

/** Ours, which say in their own tests what they throw, and Node's, whose form no build changes. */
const TRUSTED = /^(?:node:|@nexus\/|\.)/;

/**
 * A catch without its error around what a dependency does, or of the promise of that, hides that the dependency is
 * broken: one that a build has without its exports looked like one that found nothing.
 */
export const hidingCatches: Check = {
  name: NAME,
  proves: 'no catch takes a broken dependency for one that found nothing',
  run({ workspace }) {
    const files = sourceFiles(workspace).filter((file) => !/\.test\.ts$|\/test\//.test(file));
    if (files.length === 0) return lookedAtNothing(NAME, 'sources');
    return files.flatMap((file) => findingsIn(file, workspace.read(file)));
  },
};

function findingsIn(file: string, text: string): Finding[] {
  if (!/catch \{|\.(?:catch|then)\(/.test(text)) return [];
  const { program } = parseSync(file, text);
  const foreign = new Set<string>();
  new Visitor({
    ImportDeclaration({ source, specifiers, importKind }) {
      if (importKind === 'type' || TRUSTED.test(source.value)) return;
      for (const { local } of specifiers) foreign.add(local.name);
    },
    VariableDeclarator({ id, init }) {
      if (init?.type !== 'AwaitExpression' || !loadsForeign(init.argument)) return;
      for (const name of namesIn(id)) foreign.add(name);
    },
  }).visit(program);
  const findings: Finding[] = [];
  const look = (block: Node, start: number) => {
    const used = usedIn(block, foreign);
    if (used === undefined) return;
    findings.push({
      check: NAME,
      where: place(file, text, start),
      what: `hides whatever goes wrong in ${used}`,
      fix: 'take the error and let pass what is not the one that is meant',
    });
  };
  new Visitor({
    TryStatement({ block, handler }) {
      if (handler && !handler.param) look(block, handler.start);
    },
    CallExpression({ callee, arguments: given }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      const [first, second] = given;
      const handler =
        callee.property.name === 'catch' ? first : callee.property.name === 'then' ? second : undefined;
      if (handler && takesNothing(handler)) look(callee.object, handler.start);
    },
  }).visit(program);
  return findings;
}

/** A function that does not look at what it is given, as `() => undefined`. */
function takesNothing(handler: Argument): boolean {
  const isFunction = handler.type === 'ArrowFunctionExpression' || handler.type === 'FunctionExpression';
  return isFunction && handler.params.length === 0;
}

/** What of a dependency is used there. */
function usedIn(block: Node, foreign: ReadonlySet<string>): string | undefined {
  const used: string[] = [];
  new Visitor({
    CallExpression: ({ callee }) => void used.push(...rootOf(callee)),
    NewExpression: ({ callee }) => void used.push(...rootOf(callee)),
    ImportExpression: ({ source }) => void used.push(...loaded(source)),
  }).visit({
    type: 'Program',
    sourceType: 'module',
    hashbang: null,
    body: [block],
    start: 0,
    end: 0,
  } as never); // what is visited
  return used.find((name) => foreign.has(name) || name.startsWith('import '));
}

/** Of a name, or of what its member is called on. */
function rootOf(callee: Expression | Argument): string[] {
  if (callee.type === 'Identifier') return [callee.name];
  return callee.type === 'MemberExpression' ? rootOf(callee.object as Expression) : [];
}

function loaded(source: Expression): string[] {
  if (source.type !== 'Literal' || typeof source.value !== 'string') return [];
  return TRUSTED.test(source.value) ? [] : [`import ${source.value}`];
}

function loadsForeign(argument: Expression): boolean {
  return argument.type === 'ImportExpression' && loaded(argument.source).length > 0;
}

/** Names that a pattern binds. */
function namesIn(pattern: Node): string[] {
  if (pattern.type === 'Identifier') return [pattern.name];
  if (pattern.type !== 'ObjectPattern') return [];
  return pattern.properties.flatMap((each) => (each.type === 'Property' ? namesIn(each.value as Node) : []));
}
