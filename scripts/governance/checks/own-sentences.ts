import { parseSync, type TemplateLiteral, Visitor } from 'oxc-parser';
import { place } from '../../workspace/source-files.ts';
import { type Check, type Finding, lookedAtNothing } from '../check.ts';

const NAME = 'own-sentences';
const TABLE = 'packages/primitives/src/cutting/own-sentences.ts';
const SOURCE = /^packages\/.*\/src\/.*(?<!\.test)\.ts$/;

/** What only a sentence has that says where to go on, what is left out, where the whole is or whose words follow. */
const TELLS =
  /\boffset \{\} (?:gives|goes)|\bgo on with (?:lines|offset)|gives the next|\b(?:characters|of text|tests) left out|\b(?:characters do|did) not fit\b|\bno room(?: here|[:;])|\bmore characters\b|\bread_result (?:reads|takes|has)\b|is past the last|(?:is|only) (?:the|its) beginning|\bis not shown here|\bothers (?:are|were) not (?:counted|looked at)|rest was not looked at|what follows is of|in quotes here is of/i;

/** Without one of these in its source, a file has no such sentence, and need not be parsed. */
const MAY_TELL =
  /\boffset \$\{|go on with|gives the next|left out|not fit|no room|more characters|read_result |is past|beginning|not shown here|not counted|not looked at|what follows|in quotes here/i;

/** Whose texts are no part of an answer to a model, and what they are. */
const NO_ANSWERS: Readonly<Record<string, string>> = {
  'packages/primitives/src/cutting/says-own-sentence.ts': 'what others say, as if Nexus said it',
  'packages/processes/src/kept-output.ts':
    'what a program printed; it begins as each line does by which Nexus is known',
  'packages/processes/src/test-output/failures-only.ts': 'the same',
  'packages/plugins/github/src/triage/triage.ts': 'what is given to a model to read, of an issue',
};

/**
 * A sentence that tells a model where to go on, or whose words follow, is known when a server says it only if it is
 * made of the table by which it is known.
 */
export const ownSentences: Check = {
  name: NAME,
  proves: 'what says where an answer goes on or what it leaves out is made of the table by which it is known',
  run({ workspace }) {
    const files = workspace.files.filter((file) => SOURCE.test(file) && file !== TABLE);
    if (files.length === 0) return lookedAtNothing(NAME, 'sources');
    const exempt = new Set(Object.keys(NO_ANSWERS));
    const findings = files.flatMap((file) => {
      const found = findingsIn(file, workspace.read(file));
      return found.length > 0 && exempt.delete(file) ? [] : found;
    });
    return [
      ...findings,
      ...[...exempt]
        .filter((file) => workspace.files.includes(file))
        .map((file) => ({
          check: NAME,
          where: file,
          what: 'makes no such sentence any more',
          fix: 'remove its line from NO_ANSWERS in this check',
        })),
      ...unsaid(workspace.files.includes(TABLE) ? workspace.read(TABLE) : '', () =>
        files.map((file) => workspace.read(file)),
      ),
    ];
  },
};

function findingsIn(file: string, source: string): Finding[] {
  if (!MAY_TELL.test(source)) return [];
  const described = new Set<number>();
  const findings: Finding[] = [];
  const look = (start: number, text: string) => {
    if (described.has(start) || !TELLS.test(text)) return;
    const what = `makes a sentence of an answer: ${JSON.stringify(text.slice(0, 80))}`;
    const fix = `make it of OWN_SENTENCES, in ${TABLE}; if no answer to a model has it, say so in NO_ANSWERS of this check`;
    findings.push({ check: NAME, where: place(file, source, start), what, fix });
  };
  const { program } = parseSync(file, source);
  // What describes a tool or a field stands in a list, and in no answer.
  new Visitor({
    CallExpression({ callee, arguments: [given] }) {
      const isDescribing =
        callee.type === 'MemberExpression' &&
        callee.property.type === 'Identifier' &&
        callee.property.name === 'describe';
      if (isDescribing && given) described.add(given.start);
    },
    Property({ key, value }) {
      if (key.type === 'Identifier' && key.name === 'description') described.add(value.start);
    },
  }).visit(program);
  new Visitor({
    Literal(node) {
      if (typeof node.value === 'string') look(node.start, node.value);
    },
    TemplateLiteral(node) {
      look(node.start, textOf(node));
    },
  }).visit(program);
  return findings;
}

function textOf({ quasis }: TemplateLiteral): string {
  return quasis.map(({ value }) => value.cooked ?? value.raw).join('{}');
}

/** Sentences of the table that nothing says: a server's words would be marked for nothing. */
function unsaid(table: string, sources: () => readonly string[]): Finding[] {
  const names = [...table.matchAll(/^ {2}(\w+): sentence`/gm)].map(([, name = '']) => name);
  if (names.length === 0) return [];
  const all = sources().join('\n');
  return names
    .filter(
      (name) =>
        ![`OWN_SENTENCES.${name}(`, `OWN_SENTENCES.${name}.`, `'${name}'`].some((use) => all.includes(use)),
    )
    .map((name) => ({
      check: NAME,
      where: TABLE,
      what: `has ${name}, which nothing says`,
      fix: 'remove it',
    }));
}
