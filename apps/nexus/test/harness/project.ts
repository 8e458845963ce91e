import { copyFile, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';

/** A project in a temporary folder, with a home and a data directory of its own. */
export interface Project extends AsyncDisposable {
  /** Real path. */
  readonly root: string;
  readonly dataDir: string;
  /** For locks and sockets, of this project's processes alone. */
  readonly runtimeDir: string;
  /** For every process of the test: nothing of the developer's own settings reaches it. */
  readonly env: Readonly<Record<string, string>>;
  path(...parts: string[]): string;
}

export interface ProjectInput {
  /** Content by path. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Goes to `nexus.config.json`. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Brings the fixture plugin's tools. */
  readonly slowPlugin?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

/** A socket's path must stay short, and the folder for temporary files is a long one on macOS. */
const SHORT_TMP = process.platform === 'win32' ? tmpdir() : '/tmp';

// Certificate authorities of the machine's own cost each Node.js that starts 30 ms; tests reach nothing but loopback.
const NOT_INHERITED =
  /^(NODE_EXTRA_CA_CERTS$|NEXUS_|ANTHROPIC_|OPENAI_|GEMINI_|GOOGLE_|CLAUDE|CODEX_|VITEST|NODE_OPTIONS$|NODE_ENV$|npm_|XDG_|WORKBENCH_)/i;

export async function makeProject(input: ProjectInput = {}): Promise<Project> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'nexus-e2e-')));
  const root = join(base, 'project');
  const dataDir = join(base, 'data');
  const home = join(base, 'home');
  const runtimeDir = await mkdtemp(join(SHORT_TMP, 'nx-'));
  await Promise.all([root, home].map((folder) => mkdir(folder, { recursive: true })));
  const { plugins, config } = await withSlowPlugin(input, root);
  const files = {
    ...input.files,
    ...(config || plugins ? { 'nexus.config.json': JSON.stringify({ ...config, ...plugins }) } : {}),
  };
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !NOT_INHERITED.test(entry[0]),
  );
  return {
    root,
    dataDir,
    runtimeDir,
    env: {
      ...Object.fromEntries(inherited),
      HOME: home,
      USERPROFILE: home,
      LOCALAPPDATA: home,
      NEXUS_DATA_DIR: dataDir,
      NEXUS_RUNTIME_DIR: runtimeDir,
      // A test's own config is its user's word; what waits for that has tests that say otherwise.
      NEXUS_TRUST: 'all',
      ...input.env,
    },
    path: (...parts) => join(root, ...parts),
    async [Symbol.asyncDispose]() {
      const folders = [base, runtimeDir];
      await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 5 })));
    },
  };
}

/** Adds sections to the project's config, or writes one. */
export async function changeConfig(
  project: Project,
  sections: Readonly<Record<string, unknown>>,
): Promise<void> {
  const file = project.path('nexus.config.json');
  const text = await readFile(file, 'utf8').catch(() => '{}');
  await writeFile(file, JSON.stringify({ ...JSON.parse(text), ...sections }));
}

async function withSlowPlugin({ slowPlugin, config }: ProjectInput, root: string) {
  if (!slowPlugin) return { config };
  await copyFile(inject('slowPluginFile'), join(root, 'slow-plugin.mjs'));
  return { config, plugins: { plugins: ['./slow-plugin.mjs'] } };
}
