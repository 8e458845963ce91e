import { modelEndpoint } from '@nexus/testing';
import { openProject } from '../../quality/ways/project.ts';
import type { Kind } from './kinds.ts';
import { type Effort, effortOf, leastOf, type WireEffort } from './least.ts';
import { TEST_COMMAND, TEST_THERE } from './proofs.ts';
import { scriptedTeam } from './scripted-team.ts';
import { packageFiles, type Size, type Task, taskOf } from './tasks.ts';

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
/** Does it by the real server, whose only model is a script on loopback, and counts what that was asked. */
export async function measure(kind: Kind, size: Size): Promise<Asked> {
  const tree = { ...packageFiles(), ...TEST_THERE };
  const task = taskOf(size, tree);
  await using endpoint = await modelEndpoint(scriptedTeam(task, kind.proofs !== undefined));
  const marked = Object.fromEntries(
    task.files.map(({ path, text, line, mended }) => [path, text.replace(line.text, () => mended)]),
  );
  const standing = kind.name.startsWith('pr_review') ? { ...tree, ...marked } : tree;
  await using project = await openProject({
    trees: { committed: tree, standing },
    model: MODEL,
    env: {
      // No program of this machine answers in the script's place.
      PATH: '/usr/bin:/bin',
      ANTHROPIC_API_KEY: 'sk-bench',
      ANTHROPIC_BASE_URL: endpoint.url,
    },
    config: { workflows: { commands: { test: TEST_COMMAND } } },
  });
  const kit = (await project.tools())
    .filter(({ name }) => READING_KIT.includes(name))
    .map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema }));
  const answer = await kind.run(project, task);
  assertShown(kind, task, answer);
  const refused = endpoint.requests.find(({ fault }) => fault !== undefined);
  if (refused) throw new Error(`${kind.name} (${size}) asked what a provider refuses: ${refused.fault}`);
  return {
    ...{ kind, size },
    nexus: effortOf(endpoint.requests.map(({ body }) => body)),
    least: leastOf(kind.least(task), kit),
  };
}

/** A row with proofs of which none was shown would tell of something else. */
function assertShown({ name, proofs }: Kind, task: Task, answer: unknown): void {
  if (proofs === undefined) return;
  const shown = JSON.stringify(answer)?.match(/"verdict":"shown"|\bran\b"/g)?.length ?? 0;
  if (shown < proofs(task))
    throw new Error(`${name} (${task.size}): ${shown} proofs of ${proofs(task)} were shown`);
}
