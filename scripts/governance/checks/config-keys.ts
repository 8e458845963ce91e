import { parseSync, Visitor } from 'oxc-parser';
import { place, sourceFiles } from '../../workspace/source-files.ts';
import { type Check, lookedAtNothing } from '../check.ts';
import { configJsonSchema } from '../pages/config-schema.ts';

const NAME = 'config-keys';

/** What any key of a table may be: `<name>`, `["name"]`, or what the code fills in. */
const ANY = '*';

/** Messages that send a reader to a key of the config that it refuses are dead ends. */
export const configKeys: Check = {
  name: NAME,
  proves: 'each key of the config that a text of ours names is one that the config takes',
  run(subject) {
    const { workspace } = subject;
    const schema = configJsonSchema(subject) as Node;
    const sections = Object.keys(schema.properties ?? {});
    const shipped = sourceFiles(workspace).filter((file) => !file.startsWith('packages/testing/'));
    const named = shipped.flatMap((file) => {
      const source = workspace.read(file);
      return keysNamedIn(file, source, sections).map((each) => ({ ...each, file, source }));
    });
    if (named.length === 0) return lookedAtNothing(NAME, 'texts that name a key of the config');
    return named
      .filter(({ path }) => !takes(schema, path))
      .map(({ at, path, file, source }) => ({
        check: NAME,
        where: place(file, source, at),
        what: `names ${path.join('.')}, which the config refuses`,
        fix: 'name the key as docs/configuration.md has it',
      }));
  },
};

interface Node {
  readonly properties?: Readonly<Record<string, Node>>;
  readonly additionalProperties?: Node | boolean;
  readonly anyOf?: readonly Node[];
}

function takes(node: Node, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return true;
  const { properties = {}, additionalProperties: any, anyOf = [] } = node;
  if (anyOf.some((each) => takes(each, [key, ...rest]))) return true;
  const own = Object.hasOwn(properties, key) ? properties[key] : undefined;
  if (own) return takes(own, rest);
  if (typeof any === 'object') return takes(any, rest);
  return key === ANY && Object.values(properties).some((each) => takes(each, rest));
}

interface NamedKey {
  readonly at: number;
  readonly path: readonly string[];
}

/** In texts of several words; a text that is one word is a name of something else. */
function keysNamedIn(file: string, source: string, sections: readonly string[]): NamedKey[] {
  if (!sections.some((section) => source.includes(`${section}.`))) return [];
  const found: NamedKey[] = [];
  const look = (at: number, text: string) => {
    if (/\s/.test(text)) found.push(...keysOf(text, sections).map((path) => ({ at, path })));
  };
  new Visitor({
    Literal(node) {
      if (typeof node.value === 'string') look(node.start, node.value);
    },
    TemplateLiteral({ start, quasis }) {
      look(start, quasis.map(({ value }) => value.cooked ?? '').join(ANY));
    },
  }).visit(parseSync(file, source).program);
  return found;
}

const KEY = /(?<![\w./@-])([a-z]+)((?:\.(?:\*|<[\w:]+>|[A-Za-z]\w*)|\["[^"\n]+"\])+)(?![\w(])/g;
/** The end of a file's name, or of a host's. */
const NO_KEY = /\.(?:md|ts|js|json|com)$/;

function keysOf(text: string, sections: readonly string[]): string[][] {
  return [...text.matchAll(KEY)].flatMap(([whole, section = '', rest = '']) =>
    sections.includes(section) && !NO_KEY.test(whole) ? [[section, ...partsOf(rest)]] : [],
  );
}

function partsOf(rest: string): string[] {
  return [...rest.matchAll(/\["([^"\n]+)"\]|\.([^.[]+)/g)].map(
    ([, quoted = '', plain = '']) => quoted || (plain.startsWith('<') ? ANY : plain),
  );
}
