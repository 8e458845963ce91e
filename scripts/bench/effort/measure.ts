import { modelEndpoint } from '@nexus/testing';
import { openProject } from '../../quality/ways/project.ts';
import type { Kind } from './kinds.ts';
import { type Effort, effortOf, leastOf, type WireEffort } from './least.ts';
import { scriptedTeam } from './scripted-team.ts';
import { packageFiles, type Size, taskOf } from './tasks.ts';

/** A kind of work on a task of one size. */
export interface Asked {
  readonly kind: Kind;
  readonly size: Size;
  readonly nexus: WireEffort;
  readonly least: Effort;
}

const MODEL = 'anthropic:claude-sonnet-5-5';
const READING_KIT = [
  'read_file',
  'list_files',
  'search_codebase',
  'extract_symbols',
  'search_usages',
  'git_history',
];
/** That the package can be loaded: a check that passes before and after. */
const CHECK = [process.execPath, '-e', 'require("./index.js")'];

/** Does it by the real server, whose only model is a script on loopback, and counts what that was asked. */
export async function measure(kind: Kind, size: Size): Promise<Asked> {
  const tree = packageFiles();
  const task = taskOf(size, tree);
  await using endpoint = await modelEndpoint(scriptedTeam(task));
  const marked = Object.fromEntries(
    task.files.map(({ path, text, line, mended }) => [path, text.replace(line.text, () => mended)]),
  );
  const standing = kind.name === 'pr_review' ? { ...tree, ...marked } : tree;
  await using project = await openProject({
    trees: { committed: tree, standing },
    model: MODEL,
    env: {
      // No program of this machine answers in the script's place.
      PATH: '/usr/bin:/bin',
      ANTHROPIC_API_KEY: 'sk-bench',
      ANTHROPIC_BASE_URL: endpoint.url,
    },
    config: { workflows: { commands: { test: CHECK } } },
  });
  const kit = (await project.tools())
    .filter(({ name }) => READING_KIT.includes(name))
    .map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema }));
  await kind.run(project, task);
  const refused = endpoint.requests.find(({ fault }) => fault !== undefined);
  if (refused) throw new Error(`${kind.name} (${size}) asked what a provider refuses: ${refused.fault}`);
  return {
    ...{ kind, size },
    nexus: effortOf(endpoint.requests.map(({ body }) => body)),
    least: leastOf(kind.least(task), kit),
  };
}
