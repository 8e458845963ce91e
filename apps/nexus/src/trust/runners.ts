import { isKnownProgram } from './known-words.ts';
import { innerCommand } from './wrappers.ts';

/** A program that runs what files of the folder say, and not its words alone. */
interface Runner {
  /** By these it is told what to run. */
  readonly files: readonly string[];
  /** Whether it looks for programs in `node_modules` as well. */
  readonly isOfPackages?: true;
}

const MAKE: Runner = { files: ['Makefile', 'makefile', 'GNUmakefile'] };

const PYTHON: Runner = { files: ['pyproject.toml', 'uv.toml', 'setup.py', 'setup.cfg'] };
const MAVEN: Runner = { files: ['pom.xml', '.mvn/maven.config', '.mvn/jvm.config', '.mvn/extensions.xml'] };
const GRADLE: Runner = {
  files: ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts', 'gradle.properties'],
};
const NIX: Runner = { files: ['flake.nix', 'flake.lock', 'shell.nix', 'default.nix'] };

const RUNNERS: ReadonlyMap<string, Runner> = new Map(
  Object.entries({
    npm: { files: ['package.json', '.npmrc'], isOfPackages: true },
    pnpm: {
      files: ['package.json', '.npmrc', '.pnpmfile.cjs', 'pnpm-workspace.yaml'],
      isOfPackages: true,
    },
    yarn: { files: ['package.json', '.yarnrc.yml', '.yarnrc'], isOfPackages: true },
    bun: { files: ['package.json', 'bunfig.toml'], isOfPackages: true },
    deno: { files: ['deno.json', 'deno.jsonc', 'package.json'], isOfPackages: true },
    tsx: { files: ['tsconfig.json'] },
    'ts-node': { files: ['tsconfig.json'] },
    make: MAKE,
    gmake: MAKE,
    just: { files: ['justfile', 'Justfile', '.justfile'] },
    task: { files: ['Taskfile.yml', 'Taskfile.yaml'] },
    cargo: { files: ['Cargo.toml', 'build.rs', '.cargo/config.toml'] },
    go: { files: ['go.mod', 'go.work', 'main.go'] },
    uv: PYTHON,
    uvx: PYTHON,
    poetry: PYTHON,
    pdm: PYTHON,
    hatch: PYTHON,
    pipenv: { files: ['Pipfile'] },
    pipx: PYTHON,
    rake: { files: ['Rakefile', 'rakefile', 'Rakefile.rb', 'Gemfile'] },
    bundle: { files: ['Gemfile', '.bundle/config'] },
    mvn: MAVEN,
    mvnw: MAVEN,
    gradle: GRADLE,
    gradlew: GRADLE,
    dotnet: { files: ['global.json', 'Directory.Build.props', 'Directory.Build.targets', 'nuget.config'] },
    composer: { files: ['composer.json'] },
    mix: { files: ['mix.exs'] },
    nix: NIX,
    'nix-shell': NIX,
    mise: { files: ['mise.toml', '.mise.toml', 'mise.local.toml', '.tool-versions'] },
    direnv: { files: ['.envrc', '.env'] },
    docker: {
      files: ['docker-compose.yml', 'docker-compose.yaml', 'compose.yml', 'compose.yaml', 'Dockerfile'],
    },
  } satisfies Record<string, Runner>),
);

/** Run a program of a package by its name: one of the folder's `node_modules` first, else of the registry. */
const BY_PACKAGE = /^(?:npx|pnpx|bunx)$/;
/** The same as the first word after a runner of packages. */
const BY_PACKAGE_WORD = /^(?:exec|x|dlx)$/;
/** Where these are told which registry that is. */
const REGISTRY_FILES: Readonly<Record<string, readonly string[]>> = {
  npx: ['.npmrc'],
  npm: ['.npmrc'],
  pnpx: ['.npmrc', '.pnpmfile.cjs', 'pnpm-workspace.yaml'],
  pnpm: ['.npmrc', '.pnpmfile.cjs', 'pnpm-workspace.yaml'],
  yarn: ['.yarnrc.yml', '.yarnrc'],
  bunx: ['bunfig.toml', '.npmrc'],
  bun: ['bunfig.toml', '.npmrc'],
};

/** What decides, beside the words of a line, which code its program runs. */
export interface RunnerReading {
  /** Files of the folder where it runs. */
  readonly files: readonly string[];
  /** Packages, and programs of packages, that are looked for in `node_modules`. */
  readonly installed: readonly string[];
  /** A sentence for whoever says yes; undefined where its words are all. */
  readonly says: string | undefined;
  /** Whether files that it is told by may name anything else to run. */
  readonly isOpen: boolean;
  /** The line that it runs, from its options on, where that is one. */
  readonly rest?: readonly string[];
}

const NOTHING: RunnerReading = { files: [], installed: [], says: undefined, isOpen: false };

/** @param rest what stands after the program's name */
export function readRunner(name: string, rest: readonly string[]): RunnerReading {
  if (BY_PACKAGE.test(name)) return byPackage(name, name, rest);
  const runner = RUNNERS.get(name);
  if (runner === undefined && runsPackageScript(name, rest)) {
    const says = 'node --run runs what package.json of its folder says';
    return { files: ['package.json'], installed: [], says, isOpen: true };
  }
  if (runner === undefined) return NOTHING;
  const { files, isOfPackages = false } = runner;
  const at = rest.findIndex((word) => !word.startsWith('-'));
  const word = rest[at] ?? '';
  if (isOfPackages && BY_PACKAGE_WORD.test(word)) {
    const after = rest.slice(at + 1);
    return { ...byPackage(name, `${name} ${word}`, after), rest: after };
  }
  const where = isOfPackages ? ', and programs of node_modules' : '';
  return {
    files,
    installed: [],
    says: `${name} runs what ${files.join(', ')} of its folder say${where}`,
    isOpen: true,
  };
}

/** `node --run build` starts no script `build`, but what package.json calls so. */
export function runsPackageScript(name: string, rest: readonly string[]): boolean {
  const options = rest.findIndex((word) => !word.startsWith('-'));
  const before = options < 0 ? rest : rest.slice(0, options);
  return /^node(?:js)?$/.test(name) && before.some((word) => /^--run(?:=|$)/.test(word));
}

/**
 * What is said of a program that nobody here knows.
 * @param program as the line has it: one by a path below its folder is held itself
 */
export function unknownProgram(program: string, name: string): string | undefined {
  const isHeld = /[/\\]/.test(program) && !/^(?:[/\\~@]|[a-z]:|\.\.)/i.test(program);
  if (isHeld || isKnownProgram(name) || RUNNERS.has(name)) return undefined;
  return `files and arguments that Nexus does not watch may decide what ${name} runs`;
}

function byPackage(program: string, called: string, rest: readonly string[]): RunnerReading {
  const named = rest.flatMap((word, index) => {
    const [, joined] = /^(?:--package=|-p=)(.+)$/.exec(word) ?? [];
    return joined === undefined ? (/^(?:-p|--package)$/.test(rest[index - 1] ?? '') ? [word] : []) : [joined];
  });
  const [own] = innerCommand('npx', rest).line;
  const installed = [...new Set([...named, ...(own === undefined ? [] : [own])].map(withoutVersion))];
  return {
    files: REGISTRY_FILES[program] ?? [],
    installed,
    says: `${called} runs ${installed.join(', ') || 'a package'} from node_modules if it is there, and else what the registry has under that name: Nexus does not notice a change there`,
    isOpen: false,
  };
}

/** `@scope/server@1.2.3` is looked for as `@scope/server`. */
function withoutVersion(spec: string): string {
  const at = spec.indexOf('@', 1);
  return at < 0 ? spec : spec.slice(0, at);
}
