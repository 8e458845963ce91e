import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';

/** `import { a, type B, c as d } from '…'` of a package or file of ours, and the same by `export`, as the formatter writes them. */
const STATEMENT = /^(import|export) \{([^}]*)\} from '((?:@nexus\/|\.\.?\/)[^']*)';/gm;

interface Found {
  readonly file: string;
  readonly name: string;
}

/** By file and name, what a file passes on. */
const passedOn = new Map<string, ReadonlyMap<string, Found>>();

/**
 * A module's source with each name imported from the file that makes it. The splitting follows files and not names: by
 * the index of a package, a start that needs one function of it would load all that the index passes on.
 */
export function withDirectImports(source: string, file: string): string {
  return source.replaceAll(STATEMENT, (_whole, keyword: string, names: string, from: string) => {
    const target = fileOf(from, file);
    return named(names)
      .map(([name, as]) => {
        const made = madeIn({ file: target, name });
        return `${keyword} { ${made.name} as ${as} } from ${JSON.stringify(made.file)};`;
      })
      .join(' ');
  });
}

/** The file that makes what this one may only pass on. */
function madeIn(found: Found): Found {
  const next = passedOnBy(found.file).get(found.name);
  return next ? madeIn(next) : found;
}

function passedOnBy(file: string): ReadonlyMap<string, Found> {
  const known = passedOn.get(file);
  if (known) return known;
  const statements = [...readFileSync(file, 'utf8').matchAll(STATEMENT)];
  const read = new Map(
    statements
      .filter(([, keyword]) => keyword === 'export')
      .flatMap(([, , names = '', from = '']) =>
        named(names).map(([name, as]) => [as, { file: fileOf(from, file), name }] as const),
      ),
  );
  passedOn.set(file, read);
  return read;
}

/** Each value with the name that it gets; types are gone once it runs. */
function named(names: string): (readonly [name: string, as: string])[] {
  return names
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '' && !each.startsWith('type '))
    .map((each) => {
      const [name = '', as = name] = each.split(' as ');
      return [name, as] as const;
    });
}

function fileOf(from: string, importer: string): string {
  return from.startsWith('.') ? resolve(dirname(importer), from) : createRequire(importer).resolve(from);
}
