import { place } from '../../workspace/source-files.ts';
import { type Check, type Finding, lookedAtNothing } from '../check.ts';

const NAME = 'source-text';

interface Rule {
  readonly pattern: RegExp;
  /** Which files it is about. */
  readonly files: RegExp;
  readonly what: string;
  readonly fix: string;
}

const RULES: readonly Rule[] = [
  {
    pattern: /(?:\/\/|\/\*|^\s*\*).*\b(?:TODO|FIXME|XXX|HACK)\b/gm,
    files: /\.(ts|js|cjs|mjs)$/,
    what: 'marks something as unfinished',
    fix: 'finish it, or file it where work is planned',
  },
  {
    pattern: /\b(?:it|test|describe)\.(?:skip|todo|only)\b/g,
    files: /\.test\.ts$/,
    what: 'leaves tests out',
    fix: 'mend the test, or remove it',
  },
  {
    pattern: /\bAbortSignal\.any\(/g,
    files: /\.(ts|js|cjs|mjs)$/,
    what: 'joins signals so that the garbage collector may lose their end',
    fix: 'use joinSignals of @nexus/primitives, which says why',
  },
  {
    pattern:
      /startsWith\(\s*(?:`\.\.\$\{(?:\w+\.)?sep\}`|'\.\.' ?\+)|\.startsWith\(\s*(?:\w+ ?\+ ?(?:path\.)?sep\b|`\$\{\w+\}\$\{(?:path\.)?sep\}`)/g,
    files: /^(?!examples\/|packages\/primitives\/src\/is-inside\.ts).*\.(ts|js|cjs|mjs)$/,
    what: 'decides by itself whether a path lies in a folder',
    fix: 'use isInside of @nexus/primitives, whose arguments cannot be in the other order',
  },
  {
    pattern: /\? ?(?:''|'e?s') ?: ?(?:''|'e?s')/g,
    files: /^(?!packages\/primitives\/src\/counted\.ts).*\.ts$/,
    what: 'makes a plural by hand',
    fix: 'use counted of @nexus/primitives, or write both words',
  },
  {
    // Not `u`, by which a JSON Schema's patterns are read anyway.
    pattern: /\.regex\(\s*\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-tv-z]+/g,
    files: /\.ts$/,
    what: 'has a pattern of a schema that says less on the wire, where its flags are lost',
    fix: 'write the pattern so that it needs no flag: [A-Za-z] for /[a-z]/i',
  },
  {
    pattern:
      /(?<![\w.$}~:/-])\/(?:root|work|home\/(?!(?:me|you|user)\/)[a-z][\w-]*|Users\/[A-Za-z][\w-]*)\/|\b[A-Z]:\\+Users\\/g,
    files: /./,
    what: 'names a path of somebody’s machine',
    fix: 'use a path relative to the project, or a temporary folder',
  },
];
/** Text that git holds but nobody writes. */
const NOT_WRITTEN = /^pnpm-lock\.yaml$|\.(png|wasm|tgz|ico)$/;

export const sourceText: Check = {
  name: NAME,
  proves:
    'no unfinished work, no test left out, no joined signals that can be lost, no second place for which path lies in a folder or for plurals, no flag that a schema loses on the wire, and no path of a machine is in the repository',
  run({ workspace }) {
    const files = workspace.files.filter((file) => !NOT_WRITTEN.test(file));
    if (files.length === 0) return lookedAtNothing(NAME, 'files');
    return files.flatMap((file) => findingsIn(file, workspace.read(file)));
  },
};

function findingsIn(file: string, text: string): Finding[] {
  return RULES.filter((rule) => rule.files.test(file)).flatMap(({ pattern, what, fix }) =>
    [...text.matchAll(pattern)].map((match) => ({
      check: NAME,
      where: place(file, text, match.index),
      what: `${what}: ${match[0]}`,
      fix,
    })),
  );
}
