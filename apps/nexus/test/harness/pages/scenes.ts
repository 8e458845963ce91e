import { appendFile, writeFile } from 'node:fs/promises';
import { fakeServer } from '@nexus/testing';
import { readPage } from './blocks.ts';
import { bring, DIFF, linkPlugin, linkSdk, type Stage, type StageInput } from './stage.ts';

/** What has to be there before a page's commands can do what they say, and what they end with. */
export interface Scene extends Omit<StageInput, 'installed'> {
  prepare?(stage: Stage): Promise<void>;
  /** Words of a line that stand for something, and what: an id, an address, a port. */
  readonly stands?: Readonly<Record<string, string | ((stage: Stage) => Promise<string>)>>;
  /** Just before a line. */
  readonly before?: Readonly<Record<string, (stage: Stage) => Promise<unknown>>>;
  /** Lines that end with another code than 0, by how they begin. */
  readonly exits?: Readonly<Record<string, number>>;
  /** Lines that go on until they are ended, by how they begin, and what they show first. */
  readonly goesOn?: Readonly<Record<string, RegExp>>;
  /** What a line must say, by how it begins. */
  readonly says?: Readonly<Record<string, RegExp>>;
}

const SUM = 'export function sum(a, b) {\n  return a + b;\n}\n';

const newestRun = async ({ json }: Stage) => String((await json('nexus runs')).runs[0].id);

const ASKING = {
  '.nexus/workflows/publish.yaml':
    'name: publish\ndescription: Asks, and is done.\nsteps:\n  - id: sure\n    uses: ask\n    with: { message: Publish it? }\n',
};

/** A toolbox of servers that stand on this machine. */
const demo = {
  mcpServers: { everything: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-everything'] } },
};
const notes = {
  mcpServers: { memory: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] } },
};

const claudeCode = (servers: object) => ({ '.mcp.json': JSON.stringify({ mcpServers: servers }) });

const FIVE = {
  notes: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] },
  decisions: {
    command: 'npx',
    args: ['-y', '@modelcontextprotocol/server-memory'],
    env: { MEMORY_FILE_PATH: 'decisions.jsonl' },
  },
  files: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '.'] },
  docs: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', 'docs'] },
  demo: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-everything'] },
};

/** Something that is on the record of what was done. */
const remember = async ({ sh }: Stage) =>
  void (await sh('nexus call memory_write backend=session key=a value=b'));

const serve = async ({ sh }: Stage) => void (await sh('nexus serve >/dev/null 2>&1 & sleep 3'));

export const scenes: Readonly<Record<string, Scene>> = {
  'README.md': {
    files: { ...claudeCode(FIVE), 'docs/a.md': '# A\n', 'tools/review.mjs': PLUGIN() },
    prepare: linkSdk,
    stands: { 'import claude-desktop': 'import ./theirs.json' },
    before: {
      'nexus import claude-desktop': ({ project }) =>
        writeFile(project.path('theirs.json'), JSON.stringify({ mcpServers: { fake: fakeServer() } })),
      'nexus toolbox open notes': ({ sh }) => sh('nexus import .mcp.json.before-nexus --toolbox notes --yes'),
      'nexus status': serve,
    },
  },
  'docs/audit.md': {
    prepare: async (stage) => {
      await bring(stage, 'docs/verify-audit.mjs');
      await remember(stage);
    },
    stands: { 'nexus audit erase': 'nexus audit erase --yes' },
  },
  'docs/bus.md': {
    prepare: async ({ sh }) => void (await sh('nexus call register_worker name=reviewer')),
    before: {
      NEXUS_WORKER: stageChange,
      'git commit --no-verify': stageChange,
    },
  },
  'docs/chat.md': {
    // Here is no terminal to talk on.
    exits: {
      'nexus chat   ': 1,
      'nexus chat --server': 1,
      'nexus chat --model': 1,
      'nexus chat --continue': 1,
      'nexus chat --resume': 1,
      'nexus chat --max-cost': 1,
    },
    stands: {
      'https://example.com/mcp': 'http://127.0.0.1:9/mcp',
      '20261122': async ({ json }) => String((await json('nexus chat --list'))[0].id),
    },
  },
  'docs/consensus.md': {
    files: { 'decision.md': 'Let the queue live in SQLite.\n', 'change.diff': DIFF, 'sum.js': SUM },
    stands: {
      '<recordId>': async ({ json }) => String((await json('nexus votes')).votes.at(-1).recordId),
    },
  },
  'docs/experts.md': {},
  // On a terminal it is asked.
  'docs/governance.md': { stands: { '--prove-hints': '--prove-hints --yes' } },
  'docs/http.md': {
    config: { http: { port: 0 } },
    stands: { '--http 7333': '--http 0' },
    goesOn: { 'nexus serve --http': /token/ },
  },
  'docs/models.md': {},
  'docs/pipelines.md': {
    files: {
      'sum.mjs': 'export const sum = (a, b) => a - b;\n',
      'sum.test.mjs':
        "import assert from 'node:assert';\nimport { sum } from './sum.mjs';\nassert.equal(sum(2, 3), 5);\n",
      'docs/spec.md': '- Sums are exported.\n- Texts are refused.\n- All of it is told.\n',
    },
    config: { workflows: { commands: { test: [process.execPath, 'sum.test.mjs'] } } },
  },
  'docs/runs.md': {
    files: ASKING,
    prepare: async ({ sh }) => void (await sh('nexus run publish')),
    stands: { '<id>': newestRun },
    // There is one run, which is not all that a run may be: these say why not.
    exits: { 'nexus runs answer <id> yes --digest': 1, 'nexus runs resume': 1, 'nexus runs rerun': 1 },
  },
  'docs/shared-database.md': { exits: { 'nexus project take-over': 1 } },
  'docs/sharing.md': { prepare: serve, goesOn: { 'nexus serve': /Ctrl-C/ } },
  'docs/toolboxes.md': {
    files: claudeCode({ own: fakeServer() }),
    config: {
      toolboxes: {
        demo: { ...demo, mcpServers: { ...demo.mcpServers, notes: notes.mcpServers.memory }, autoOpen: true },
        notes,
      },
    },
    stands: {
      'claude-desktop': 'claude-code',
      'open tickets': 'open demo',
    },
  },
  'docs/traces.md': {
    prepare: async ({ sh }) => void (await sh('nexus run standards-review directory=src')),
    stands: { run_5b0c: newestRun },
  },
  'docs/first-hour.md': {
    files: { 'docs/a.md': '# A\n' },
    config: { toolboxes: { mine: { mcpServers: FIVE } } },
    env: { NEXUS_TRUST: '' },
    says: { 'nexus toolbox test': /^5 of 5 servers are well\.$/m, 'nexus run orchestrate': /It is so/ },
  },
  'docs/operate.md': {
    async prepare(stage) {
      await remember(stage);
      await serve(stage);
    },
  },
  'docs/uninstall.md': {
    files: claudeCode({ own: fakeServer() }),
    prepare: async ({ sh }) => void (await sh('nexus import claude-code --replace --yes')),
  },
  'examples/toolboxes/README.md': {
    files: { 'nexus.config.json': readPage('examples/toolboxes/nexus.config.json') },
  },
  'examples/word-count-plugin/README.md': {
    config: { plugins: ['nexus-plugin-word-count'] },
    async prepare(stage) {
      await linkSdk(stage);
      await linkPlugin(stage, 'word-count');
    },
  },
  'docs/plugins.md': {
    files: {
      'release-notes/package.json': '{"name":"release-notes","type":"module","exports":"./index.js"}',
      'CHANGELOG.md': '# Changes\n\n## 1.1.0\n\nIt sings.\n',
      'HISTORY.md': '# Changes\n\n## 1.1.0\n\nIt sings.\n',
    },
    config: { plugins: ['./release-notes'] },
    // The page's own plugin, in the folder that the block before makes.
    async prepare(stage) {
      await linkSdk(stage);
      const [, code = ''] = /```js\n([\s\S]*?)^```$/m.exec(readPage('docs/plugins.md')) ?? [];
      await writeFile(stage.project.path('release-notes/index.js'), code);
    },
  },
};

/** The smallest plugin, as a module beside the project's code. */
function PLUGIN(): string {
  return [
    "import { definePlugin } from '@nexus/plugin-sdk';",
    "import { z } from 'zod';",
    "export default definePlugin({ name: 'review', options: z.object({}), tools: [], start: async () => ({}), stop: async () => {} });",
  ].join('\n');
}

async function stageChange({ project, sh }: Stage): Promise<void> {
  await appendFile(project.path('src/a.ts'), '// more\n');
  await sh('git add --all');
}
