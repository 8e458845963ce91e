import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type StdioServer, startStdioServer } from '../../bench/servers.ts';
import { bin } from '../../bench/subjects.ts';
import type { Trees } from '../cases/trees.ts';
import { writeTree } from '../write-tree.ts';

/** What asking the models cost, by the record of their calls. */
export interface Spent {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
  /** Calls whose price is unknown, which the cost leaves out. */
  readonly unpriced: number;
}

/** A case's project with a server of its own, so that what is spent is spent on this case alone. */
export interface OpenProject extends AsyncDisposable {
  /** Its `structuredContent`. @throws what the tool says where it failed */
  call(tool: string, args: object): Promise<Readonly<Record<string, unknown>>>;
  git(...args: readonly string[]): string;
  /** As a host's model is told of them. */
  tools(): Promise<readonly ListedTool[]>;
  /** Where it stands, and the environment that its server has over this process's own. */
  readonly at: { readonly cwd: string; readonly env: Readonly<Record<string, string>> };
  spent(): Promise<Spent>;
}

export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}

export interface ProjectInput {
  readonly trees: Trees;
  /** `provider:name`, asked for everything. */
  readonly model: string;
  /** For the server, over this process's own: where its models are. */
  readonly env: Readonly<Record<string, string>>;
  /** Of its config, beside what every case has. */
  readonly config?: object;
}

const PLUGIN = fileURLToPath(new URL('../fixtures/direct-plugin.mjs', import.meta.url));
const AUTHOR = ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost', '-c', 'commit.gpgsign=false'];

export async function openProject({ trees, model, env, config: more }: ProjectInput): Promise<OpenProject> {
  const base = mkdtempSync(join(tmpdir(), 'nexus-quality-'));
  const root = join(base, 'project');
  const git = (...args: readonly string[]) =>
    execFileSync('git', [...AUTHOR, ...args], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  await writeTree(root, trees.committed);
  git('init', '--quiet');
  appendFileSync(join(root, '.git', 'info', 'exclude'), 'nexus.config.json\n');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'As it is');
  const config = { plugins: [PLUGIN], models: { default: model }, consensus: { models: [model] }, ...more };
  await writeTree(root, { ...trees.standing, 'nexus.config.json': JSON.stringify(config) });
  const own = { NEXUS_DATA_DIR: join(base, 'data'), NEXUS_TRUST: 'all' };
  const at = { cwd: root, env: { ...env, ...own } };
  const server = await startStdioServer([bin, '--mode=server', '--standalone'], at);
  const call = async (tool: string, args: object) =>
    structureOf(await server.request('tools/call', { name: tool, arguments: args }));
  return {
    call,
    git,
    at,
    tools: async () => (await server.request('tools/list')).tools as readonly ListedTool[],
    spent: async () => (await call('quality_spent', {})) as unknown as Spent, // by the plugin's own schema
    async [Symbol.asyncDispose]() {
      await server.stop();
      rmSync(base, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

type Result = Awaited<ReturnType<StdioServer['request']>>;

function structureOf({ isError, content, structuredContent }: Result): Readonly<Record<string, unknown>> {
  if (!isError) return (structuredContent ?? {}) as Readonly<Record<string, unknown>>;
  const texts = (content as { text?: string }[]).map(({ text = '' }) => text);
  throw new Error(texts.join('\n').slice(0, 2_000));
}
