import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, it } from 'vitest';
import { runPage } from '../harness/pages/run-page.ts';
import { scenes } from '../harness/pages/scenes.ts';
import { npmInstall, packAll } from '../harness/tarballs.ts';

const INSTALL_MS = 240_000;
const PAGE_MS = 600_000;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nexus-pages-'));
  const { app } = await packAll(join(folder, 'packed'));
  await npmInstall(folder, [app]);
}, INSTALL_MS);

afterAll(() => rm(folder, { recursive: true, force: true }));

for (const [page, scene] of Object.entries(scenes)) {
  it(
    `${page} does what it says, by the command as it is installed`,
    () => runPage(page, scene, folder),
    PAGE_MS,
  );
}
