import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { appDir } from './app.ts';
import { bundleFixture } from './bundle-fixture.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The fixture plugin as one file, as an author may ship it. */
    slowPluginFile: string;
  }
}

/** Bundles the fixture plugin once for all tests, so that it loads on any Node from any folder. */
export default async function buildFixtures(project: TestProject): Promise<() => Promise<void>> {
  if (!existsSync(join(appDir, 'dist/main.js'))) {
    throw new Error('the app is not built: run `pnpm build` first');
  }
  const folder = await mkdtemp(join(tmpdir(), 'nexus-fixtures-'));
  const slowPluginFile = join(folder, 'slow-plugin.mjs');
  await bundleFixture('slow-plugin', slowPluginFile);
  project.provide('slowPluginFile', slowPluginFile);
  return () => rm(folder, { recursive: true, force: true });
}
