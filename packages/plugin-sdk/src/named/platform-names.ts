import { builtinModules } from 'node:module';

/** Python's own functions; JavaScript's are what the platform says that it has. */
const PYTHON =
  'abs all any bin bool bytes callable chr dict dir divmod enumerate eval exec filter float format frozenset getattr hasattr hash hex input int isinstance issubclass iter len list locals map max min next object oct open ord pow print range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip';

const globals = Object.entries(Object.getOwnPropertyDescriptors(globalThis));

const GLOBALS: ReadonlySet<string> = new Set([
  ...globals.map(([name]) => name),
  // Of browsers, and of modules.
  ...['window', 'document', 'require', 'module', 'exports', 'super', 'arguments'],
]);

const FUNCTIONS: ReadonlySet<string> = new Set([...GLOBALS, ...PYTHON.split(' ')]);

const MODULES: ReadonlySet<string> = new Set(
  builtinModules.map((name) => name.replace(/^node:/, '').split('/')[0] ?? name),
);

/** What values of the language have. */
const MEMBERS: ReadonlySet<string> = new Set(
  globals
    .filter(([name]) => /^[A-Z]/.test(name))
    .flatMap(([, { value }]) => [value, (value as { prototype?: unknown } | undefined)?.prototype])
    .flatMap((each) =>
      typeof each === 'function' || (typeof each === 'object' && each !== null)
        ? Object.getOwnPropertyNames(each)
        : [],
    ),
);

/** Whether a name as it is written is one of the language or its platform: `Math.trunc`, `isNaN`, `text.includes`. */
export function isOfPlatform(name: string): boolean {
  const parts = name.split(/[.#:?]+/);
  const [first = '', last] = [parts[0], parts.at(-1)];
  if (parts.length === 1) return FUNCTIONS.has(first);
  // What begins with a capital is a class: its members are its own.
  return GLOBALS.has(first) || MODULES.has(first) || (MEMBERS.has(last ?? '') && /^[a-z_$]/.test(first));
}
