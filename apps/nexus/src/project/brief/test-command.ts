import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readTextSync } from '@nexus/primitives';

const PACKAGE_MANAGERS = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun run'],
  ['bun.lockb', 'bun run'],
] as const;

/** By the file that says so; the first that is there. */
const BY_FILE = [
  ['Cargo.toml', 'cargo test'],
  ['go.mod', 'go test ./...'],
  ['pytest.ini', 'pytest'],
  ['tox.ini', 'tox'],
  ['pyproject.toml', 'pytest'],
  ['gradlew', './gradlew test'],
  ['pom.xml', 'mvn test'],
  ['mix.exs', 'mix test'],
  ['composer.json', 'composer test'],
  ['Gemfile', 'bundle exec rake test'],
] as const;

const MAX_MANIFEST_BYTES = 1_000_000;

/** How the project is tested, as its files say; undefined where none does. It is told and never run. */
export function testCommand(projectRoot: string): string | undefined {
  const has = (name: string) => existsSync(join(projectRoot, name));
  if (has('package.json') && hasTestScript(join(projectRoot, 'package.json'))) {
    const manager = PACKAGE_MANAGERS.find(([lock]) => has(lock))?.[1] ?? 'npm';
    return `${manager} test`;
  }
  return BY_FILE.find(([name]) => has(name))?.[1];
}

function hasTestScript(path: string): boolean {
  try {
    const { scripts } = JSON.parse(readTextSync(path, MAX_MANIFEST_BYTES)) as {
      scripts?: { test?: unknown };
    };
    return typeof scripts?.test === 'string' && !scripts.test.includes('no test specified');
  } catch {
    return false;
  }
}
