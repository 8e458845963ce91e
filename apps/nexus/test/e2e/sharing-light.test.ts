import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, vi } from 'vitest';
import { appDir } from '../harness/app.ts';
import { rowsOf } from '../harness/run-record.ts';
import type { ServerProcess } from '../harness/server-process.ts';
import { type SharedProject, shareProject } from '../harness/shared-project.ts';
import { verifiesApp } from '../harness/verifies.ts';

/** Code that is loaded at a start, and little more: by a bridge, and by the server that it joins. */
const LIGHT_BYTES = { bridge: 79_000, server: 365_000 };
/** Each file of it takes Node half a millisecond: the build joins what a start loads. */
const FEW_FILES = 3;
/** Of Node's own modules what a bridge cannot do without: some cost megabytes, such as `node:url` with its 4. */
const BUILTINS = [
  'buffer',
  'crypto',
  'events',
  'fs',
  'fs/promises',
  'module',
  'net',
  'os',
  'path',
  'process',
  'stream',
  'timers/promises',
  'util',
];
const PLUGIN = 'Find text, declarations or files';
/** Words that are in the code of zod, and of a plugin. */
const MARKS = ['invalid_type', PLUGIN];

/** Every file of code that a process had loaded at its end, by V8's own account. */
async function loadedFiles(folder: string): Promise<string[]> {
  const files = new Set<string>();
  for (const name of await readdir(folder)) {
    const { result } = JSON.parse(await readFile(join(folder, name), 'utf8'));
    for (const { url } of result) if (url.startsWith('file:')) files.add(fileURLToPath(url));
  }
  return [...files];
}

async function runAndEnd(
  project: SharedProject,
  name: string,
  use: (server: ServerProcess) => Promise<unknown> = async () => {},
): Promise<string[]> {
  const NODE_V8_COVERAGE = project.path(name);
  const server = await project.host({ env: { NODE_V8_COVERAGE } });
  await server.session.ask('tools/list');
  await use(server);
  server.session.end();
  await server.exit();
  return loadedFiles(NODE_V8_COVERAGE);
}

async function read(
  files: readonly string[],
): Promise<{ bytes: number; marks: readonly string[]; builtins: string[] }> {
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return {
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    builtins: texts
      .flatMap((text) =>
        [...text.matchAll(/getBuiltinModule\(["'`]node:([^"'`]+)/g)].map(([, name]) => name ?? ''),
      )
      .filter((name) => !BUILTINS.includes(name)),
    marks: MARKS.filter((mark) => texts.some((text) => text.includes(mark))),
  };
}

verifiesApp('sharing.light', 'loads nothing of a server into a process that joins one', async () => {
  await using project = await shareProject();
  const asServer = await runAndEnd(project, 'as-server');
  const afterCall = await runAndEnd(project, 'after-call', ({ session }) => session.call('memory_stats'));
  await project.host();
  const asBridge = await runAndEnd(project, 'as-bridge');

  const light = await read(asBridge);
  expect(light.marks).toEqual([]);
  expect(light.builtins).toEqual([]);
  expect(light.bytes).toBeLessThan(LIGHT_BYTES.bridge);
  expect(asBridge.filter((file) => !file.startsWith(appDir) || file.includes('node_modules'))).toEqual([]);
  // The measure itself: a server lists its tools, and has the rest once one of them is called.
  expect((await read(asServer)).marks).toEqual([PLUGIN]);
  // No file among them only hands on what another one makes.
  const bundled = asServer.filter((file) => file.includes(`${sep}dist${sep}`)).map((file) => basename(file));
  expect(bundled.sort()).toEqual([
    'main.js',
    expect.stringMatching(/^part-join-/),
    expect.stringMatching(/^part-serve-/),
  ]);
  expect((await read(afterCall)).marks).toEqual(['invalid_type', PLUGIN]);
});

/** A file of the bundle with all that it loads at once. */
async function withImports(file: string, found = new Set<string>()): Promise<Set<string>> {
  if (found.has(file)) return found;
  found.add(file);
  const text = await readFile(file, 'utf8');
  for (const [, name = ''] of text.matchAll(/(?:from|import) ?["'`](\.\/[^"'`]+)["'`]/g)) {
    await withImports(join(dirname(file), name), found);
  }
  return found;
}

verifiesApp('sharing.light', 'has a server begin with little code, in few files', async () => {
  const bundle = join(appDir, 'dist');
  const [begins] = (await readdir(bundle)).filter((name) => name.startsWith('part-serve-'));
  const files = await withImports(join(bundle, 'main.js'));
  await withImports(join(bundle, String(begins)), files);
  const { bytes, builtins } = await read([...files]);
  expect(bytes).toBeLessThan(LIGHT_BYTES.server);
  expect(builtins).not.toContain('worker_threads');
  expect(files.size).toBeLessThanOrEqual(FEW_FILES);
  // The way of a call comes with the first of them, and what reads command lines with a config.
  const holding = async (word: string, paths: readonly string[]) => {
    const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
    return texts.some((text) => text.includes(word));
  };
  const all = (await readdir(bundle))
    .filter((name) => name.endsWith('.js'))
    .map((name) => join(bundle, name));
  for (const later of ['reaches out of the machine', 'tells models of toolbox']) {
    expect([later, await holding(later, [...files]), await holding(later, all)]).toEqual([
      later,
      false,
      true,
    ]);
  }
});

verifiesApp('sharing.light', 'loads no plugin into a server that looks for runs and finds none', async () => {
  await using project = await shareProject();
  const looked = await runAndEnd(project, 'looked', () =>
    vi.waitFor(async () => expect(await rowsOf(project)('select id from runs_runs')).toEqual([]), {
      timeout: 20_000,
      interval: 50,
    }),
  );
  expect((await read(looked)).marks).toEqual([PLUGIN]);
});
