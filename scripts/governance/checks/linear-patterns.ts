import { type Argument, type Expression, type Program, parseSync, Visitor } from 'oxc-parser';
import { analyse } from 'scslre';
import { place } from '../../workspace/source-files.ts';
import { type Check, type Finding, lookedAtNothing } from '../check.ts';

const NAME = 'linear-patterns';
const SOURCE = /^(?:packages|apps)\/.*\/src\/.*(?<!\.test)\.ts$/;

/** Patterns that are put together when they are needed, and why each takes linear time all the same. */
const PUT_TOGETHER: Readonly<Record<string, string>> = {
  'apps/nexus/src/config/expansion/expand-variables.ts': 'a fixed word beside the pattern of a variable',
  'apps/nexus/src/config/plain-check.ts': 'of our own config schema, whose patterns stand there as literals',
  'apps/nexus/src/hosts/import/portable-paths.ts': 'one escaped path between two fixed characters',
  'apps/nexus/src/trust/code-variables.ts':
    'whole names of variables side by side, none with two repetitions',
  'apps/nexus/src/state/own-files.ts':
    'the names in made-names.ts, between fixed ends, for one name of a file of at most 255 bytes',
  'packages/client/src/auth/challenge.ts': 'one of our own parameter names before a fixed end',
  'packages/plugin-sdk/src/models/claims-to-have-run.ts':
    'words of ours between repetitions of at most 200 characters, on lines of at most 10 000',
  'packages/plugins/memory/src/words.ts': 'classes of characters that share none, one repetition each',
  'packages/primitives/src/cutting/letters-alike.ts': 'one class of single characters, no repetition',
  'packages/primitives/src/cutting/says-own-sentence.ts':
    'sentences of ours, a class for each letter, between repetitions of at most 12 characters; tried at one place each',
  'packages/primitives/src/cutting/sounds-like-nexus.ts':
    'letters of words of ours, a class or some texts each, between repetitions of at most 40 characters',
  'packages/primitives/src/written-json.ts':
    'an identifier of ours between a quote and one repetition of one class, which has no quote',
  'packages/untrusted/src/secrets/find-secrets.ts':
    'formats from a table, whose test holds them to linear time',
};

/** A pattern as the code has it; `text` is undefined where only a run of the code tells it. */
interface WrittenPattern {
  readonly at: number;
  readonly text: string | undefined;
  readonly flags: string;
}

/**
 * Every regular expression of ours may meet text from outside, on the thread that serves everybody. V8 goes back
 * and tries again, so one that can be matched in several ways takes quadratic time or worse.
 */
export const linearPatterns: Check = {
  name: NAME,
  proves: 'no regular expression of ours goes back over what it has matched, whatever text it is given',
  run({ workspace }) {
    const files = workspace.files.filter((file) => SOURCE.test(file));
    if (files.length === 0) return lookedAtNothing(NAME, 'sources');
    return [
      ...files.flatMap((file) => findingsIn(file, workspace.read(file))),
      ...Object.keys(PUT_TOGETHER)
        .filter((file) => workspace.files.includes(file) && !hasPutTogether(file, workspace.read(file)))
        .map((file) => ({
          check: NAME,
          where: file,
          what: 'puts no pattern together any more',
          fix: 'remove its line from PUT_TOGETHER in this check',
        })),
    ];
  },
};

function findingsIn(file: string, source: string): Finding[] {
  return patternsIn(file, source).flatMap(({ at, text, flags }) => {
    const where = place(file, source, at);
    if (text === undefined) {
      if (Object.hasOwn(PUT_TOGETHER, file)) return [];
      const fix =
        'write it as a literal or from constants of the file; else say in this check why it is linear';
      return [{ check: NAME, where, what: 'puts a regular expression together that nobody can judge', fix }];
    }
    const [first] = analyse({ source: text, flags }).reports;
    if (!first) return [];
    const what = `takes ${first.exponential ? 'exponential' : 'quadratic'} time or more: /${text}/${flags}`;
    const fix =
      'let each repetition end where the next part begins, say with a lookbehind where it begins, or search without a pattern';
    return [{ check: NAME, where, what, fix }];
  });
}

const hasPutTogether = (file: string, source: string) =>
  patternsIn(file, source).some(({ text }) => text === undefined);

function patternsIn(file: string, source: string): WrittenPattern[] {
  if (!source.includes('/') && !source.includes('RegExp')) return [];
  const { program } = parseSync(file, source);
  const constants = constantsOf(program);
  const found: WrittenPattern[] = [];
  const made = (at: number, [pattern, flags]: readonly Argument[]) => {
    const text = pattern && textOf(pattern, constants);
    const marks = flags === undefined ? '' : textOf(flags, constants);
    found.push({ at, text: marks === undefined ? undefined : text, flags: marks ?? '' });
  };
  new Visitor({
    Literal(node) {
      if ('regex' in node) found.push({ at: node.start, text: node.regex.pattern, flags: node.regex.flags });
    },
    NewExpression({ callee, start, arguments: given }) {
      if (isRegExp(callee)) made(start, given);
    },
    CallExpression({ callee, start, arguments: given }) {
      if (isRegExp(callee)) made(start, given);
    },
  }).visit(program);
  return found;
}

const isRegExp = (callee: Expression) => callee.type === 'Identifier' && callee.name === 'RegExp';

/** What a file's own constants are, by name. */
function constantsOf(program: Program): ReadonlyMap<string, Expression> {
  const constants = new Map<string, Expression>();
  for (const statement of program.body) {
    if (statement.type !== 'VariableDeclaration' || statement.kind !== 'const') continue;
    for (const { id, init } of statement.declarations) {
      if (id.type === 'Identifier' && init) constants.set(id.name, init);
    }
  }
  return constants;
}

/** A text that the code makes of constants; undefined where it is made of anything else. */
function textOf(node: Argument, constants: ReadonlyMap<string, Expression>): string | undefined {
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? node.value : undefined;
    case 'Identifier': {
      const constant = constants.get(node.name);
      return constant && textOf(constant, constants);
    }
    case 'TemplateLiteral':
      return joined(node, 'cooked', constants);
    case 'TaggedTemplateExpression': {
      const { tag } = node;
      const isRaw =
        tag.type === 'MemberExpression' && tag.property.type === 'Identifier' && tag.property.name === 'raw';
      return isRaw ? joined(node.quasi, 'raw', constants) : undefined;
    }
    default:
      return undefined;
  }
}

function joined(
  { quasis, expressions }: Extract<Expression, { type: 'TemplateLiteral' }>,
  kind: 'raw' | 'cooked',
  constants: ReadonlyMap<string, Expression>,
): string | undefined {
  const parts = quasis.flatMap(({ value }, index) => {
    const expression = expressions[index];
    return [value[kind] ?? undefined, ...(expression ? [textOf(expression, constants)] : [])];
  });
  return parts.includes(undefined) ? undefined : parts.join('');
}
