import { chmod, cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { loopbackGitHub, type ModelEndpoint, modelEndpoint } from '@nexus/testing';
import { execa } from 'execa';
import { appDir, bin, repoDir } from '../app.ts';
import { answerIn } from '../asked-team.ts';
import { PIPELINE_REPLIES, PIPELINE_STARTS, type PipelineAsked } from '../pipeline-team.ts';
import { makeProject, type Project } from '../project.ts';
import type { Finished } from '../run-nexus.ts';

export interface StageInput {
  readonly files?: Readonly<Record<string, string>>;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  /** The folder with the installed command; by default the clone's own. */
  readonly installed?: string | undefined;
}

/** A project in which a page's commands are run by a shell, as whoever reads the page runs them. */
export interface Stage extends AsyncDisposable {
  readonly project: Project;
  readonly models: ModelEndpoint;
  sh(line: string, options?: { readonly until?: RegExp | undefined }): Promise<Finished>;
  /** What a command answers with `--json`. */
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what its command answers
  json(line: string): Promise<any>;
}

const LINE_MS = 120_000;

/** Of the one pull request that there is. */
export const DIFF =
  'diff --git a/sum.js b/sum.js\n--- a/sum.js\n+++ b/sum.js\n@@ -1,3 +1,3 @@\n export function sum(a, b) {\n-  return a - b;\n+  return a + b;\n }\n';

export async function openStage({ files, config, env, installed }: StageInput): Promise<Stage> {
  const models = await modelEndpoint(({ body }) => replyTo(JSON.stringify(body)));
  const gitHub = await loopbackGitHub({ diff: DIFF });
  const keys = {
    ...{ ANTHROPIC_API_KEY: 'sk-ant-test', ANTHROPIC_BASE_URL: models.url },
    ...{ OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: models.url },
  };
  const project = await makeProject({
    files: { 'README.md': 'A shop.\n', 'src/a.ts': 'export const parse = 1;\n', ...files },
    // A page's own file stands for itself.
    ...(files?.['nexus.config.json'] === undefined && {
      config: { sources: { github: { baseUrl: gitHub.url } }, ...config },
    }),
    env: { ...keys, ...env },
  });
  const programs = await writePrograms(project, installed);
  const path = [programs, '/usr/bin', '/bin'].join(delimiter);
  const own = { ...project, env: { ...project.env, PATH: path } };
  const git = (...args: string[]) =>
    execa('git', args, { cwd: project.root, env: own.env, extendEnv: false });
  await git('init', '--quiet', '--initial-branch=main');
  await git('config', 'user.name', 'User');
  await git('config', 'user.email', 'user@localhost');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'Begin');
  const sh: Stage['sh'] = async (line, { until } = {}) => {
    const running = execa('sh', ['-c', line], {
      cwd: project.root,
      env: own.env,
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
      timeout: LINE_MS,
      // `exec`ed by the shell, so that it is the command that is ended.
      forceKillAfterDelay: 10_000,
    });
    if (until) {
      let shown = '';
      const look = (chunk: unknown) => {
        shown += String(chunk);
        if (until.test(shown)) running.kill('SIGTERM');
      };
      running.stdout.on('data', look);
      running.stderr.on('data', look);
    }
    const { exitCode, stdout, stderr } = await running;
    return { exitCode, stdout, stderr };
  };
  return {
    project: own,
    models,
    sh,
    async json(line) {
      const { stdout, stderr } = await sh(`${line} --json`);
      try {
        return JSON.parse(stdout);
      } catch {
        throw new Error(`${line} --json printed no JSON: ${stdout}${stderr}`);
      }
    },
    async [Symbol.asyncDispose]() {
      await sh('nexus stop');
      await models[Symbol.asyncDispose]();
      await gitHub[Symbol.asyncDispose]();
      await project[Symbol.asyncDispose]();
    },
  };
}

/** Programs that a page names: the command itself, and an `npx` that has the servers of the pages without a registry. */
async function writePrograms(project: Project, installed: string | undefined): Promise<string> {
  const folder = join(project.dataDir, '..', 'programs');
  await mkdir(folder, { recursive: true });
  const nexus = installed ? join(installed, 'node_modules/nexus-mcp/bin/nexus.js') : bin;
  const servers = join(appDir, 'node_modules');
  const scripts = {
    nexus: `exec "${process.execPath}" "${nexus}" "$@"`,
    npx: [
      '[ "$1" = -y ] && shift',
      'name=$1; shift',
      `[ "$name" = nexus ] && exec "${process.execPath}" "${nexus}" "$@"`,
      `exec "${process.execPath}" "${servers}/$name/dist/index.js" "$@"`,
    ].join('\n'),
  };
  for (const [name, script] of Object.entries(scripts)) {
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(folder, name), 0o755);
  }
  await symlink(process.execPath, join(folder, 'node'));
  return folder;
}

/** What a plugin outside of the workspace finds when the SDK is installed beside it. */
export async function linkSdk({ project }: Stage): Promise<void> {
  const [from, to] = [join(repoDir, 'packages/plugin-sdk'), project.path('node_modules/@nexus/plugin-sdk')];
  await mkdir(to, { recursive: true });
  const { publishConfig, ...manifest } = JSON.parse(await readFile(join(from, 'package.json'), 'utf8'));
  await writeFile(join(to, 'package.json'), JSON.stringify({ ...manifest, ...publishConfig }));
  await cp(join(from, 'dist'), join(to, 'dist'), { recursive: true });
  for (const name of Object.keys(manifest.dependencies))
    await symlink(join(from, 'node_modules', name), project.path('node_modules', name), 'dir');
  await symlink(
    join(repoDir, 'packages/plugin-sdk/node_modules/zod'),
    project.path('node_modules/zod'),
    'dir',
  );
}

/** An example's plugin as npm would have installed it. */
export async function linkPlugin({ project }: Stage, name: string): Promise<void> {
  const folder = project.path('node_modules', `nexus-plugin-${name}`);
  // Copied, so that it finds the SDK beside itself.
  await cp(join(repoDir, 'examples', `${name}-plugin`), folder, {
    recursive: true,
    filter: (path) => !path.endsWith('node_modules'),
  });
}

/** Copies files of the repository into the project, under the same names. */
export async function bring({ project }: Stage, ...paths: string[]): Promise<void> {
  for (const path of paths) await cp(join(repoDir, path), project.path(path), { recursive: true });
}

/** A model that plays each role of a team as it is asked, and answers anybody else in a sentence. */
function replyTo(text: string) {
  const role = PIPELINE_STARTS.find(([start]) => text.includes(start))?.[1];
  if (!role && text.includes('You look for')) return answerIn({ findings: [] });
  if (!role) return { text: 'It is so.' };
  if (role === 'voter' && text.includes('Redis'))
    return answerIn({ reasoning: 'It is small.', decision: 'SQLite', confidence: 0.9 });
  return PIPELINE_REPLIES[role]({ asked: role, text, count: 1, key: '' } satisfies PipelineAsked);
}
