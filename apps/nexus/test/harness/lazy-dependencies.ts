import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TOP = fileURLToPath(new URL('../../../../', import.meta.url));
const OURS = /^(?:node:|@nexus\/|\.)/;
const LOADED = /(?<!typeof )import\(\s*'([^']+)'/g;
const NEEDED = /^(?:import|export) (?!type)[^;]*?from '([^']+)'/gm;

/** Packages of others that sources load when they first need them, themselves or by what such a module needs. */
export function lazyDependencies(): string[] {
  const sources = new Map<string, string>();
  const files = execFileSync('git', ['ls-files', 'packages', 'apps/nexus/src'], {
    cwd: TOP,
    encoding: 'utf8',
  });
  for (const name of files.split('\n')) {
    if (!/^(?:packages\/.*\/src\/|apps\/nexus\/src\/)(?!.*\.test\.ts$).*\.ts$/.test(name)) continue;
    if (existsSync(join(TOP, name))) sources.set(join(TOP, name), readFileSync(join(TOP, name), 'utf8'));
  }
  const found = new Set<string>();
  const seen = new Set<string>();
  const need = (file: string): void => {
    const text = sources.get(file);
    if (text === undefined || seen.has(file)) return;
    seen.add(file);
    for (const [, name = ''] of text.matchAll(NEEDED)) {
      if (name.startsWith('.')) need(join(dirname(file), name));
      else if (!OURS.test(name)) found.add(name);
    }
  };
  for (const [file, text] of sources) {
    if (file.includes('/packages/testing/')) continue;
    for (const [, name = ''] of text.matchAll(LOADED)) {
      if (name.startsWith('.')) need(join(dirname(file), name));
      else if (!OURS.test(name)) found.add(name);
    }
  }
  return [...found].sort();
}
