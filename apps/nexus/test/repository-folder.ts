import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach } from 'vitest';
import type { ConfigPart } from '../src/trust/part.ts';
import { partsOf } from '../src/trust/parts.ts';
import { appDir } from '../src/version.ts';

/** A repository whose config asks for trust, as the tests of a file have it. */
export interface RepositoryFolder {
  /** Its real path. */
  readonly top: string;
  /** What it lies in, with nothing else there. */
  readonly base: string;
  /** Writes a file of it. @returns its path */
  put(path: string, text?: string): string;
  /** What of a config waits for trust. */
  parts(config: Readonly<Record<string, unknown>>, environment?: NodeJS.ProcessEnv): ConfigPart[];
  /** The same of one server. */
  server(
    settings: Readonly<Record<string, unknown>>,
    environment?: NodeJS.ProcessEnv,
  ): ConfigPart | undefined;
}

/** An empty one before each test, gone after it. */
export function repositoryFolder(): RepositoryFolder {
  let base = '';
  const top = () => join(base, 'repository');
  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-trust-')));
    mkdirSync(top());
  });
  afterEach(() => rmSync(base, { recursive: true, force: true }));
  const parts: RepositoryFolder['parts'] = (config, environment = {}) =>
    partsOf(config, { folder: top(), top: top(), appDir: fileURLToPath(appDir), environment });
  return {
    get top() {
      return top();
    },
    get base() {
      return base;
    },
    put(path, text = '') {
      const file = join(top(), path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
    parts,
    server: (settings, environment) => parts(serverConfig(settings), environment)[0],
  };
}

/** A config of one server alone. */
export function serverConfig(settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { toolboxes: { t: { mcpServers: { s: settings } } } };
}
