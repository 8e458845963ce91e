import { type Host, ToolError } from '@nexus/plugin-sdk';
import { faultLine } from '../definition/fault.ts';
import { hintOf, nearestOf } from '../nearest.ts';
import { FOLDER } from './project-file.ts';
import { ProjectWorkflows } from './project-workflows.ts';
import { shippedWorkflows } from './shipped.ts';
import type { FaultyFile, WorkflowEntry } from './workflow-entry.ts';

/** Marks a shipped workflow where the project has one of that name too. */
const SHIPPED = 'nexus:';

/** Every workflow there is: those that come with Nexus, and the project's own as they are now. */
export class Catalogue {
  readonly #project: ProjectWorkflows;

  constructor(host: Host) {
    this.#project = new ProjectWorkflows(host);
  }

  async list(
    signal: AbortSignal,
  ): Promise<{ entries: readonly WorkflowEntry[]; faulty: readonly FaultyFile[] }> {
    const { entries, faulty } = await this.#project.list(signal);
    return { entries: [...(await shippedWorkflows()), ...entries], faulty };
  }

  /**
   * By its name, or by a path in the project. A name that stands for two is refused: a file of a repository
   * never takes the place of what its user means.
   * @returns a file with its faults where it is none that can be run
   * @throws {ToolError} NEXUS_NOT_FOUND with the nearest, NEXUS_CONFLICT
   */
  async find(asked: string, signal: AbortSignal): Promise<WorkflowEntry | FaultyFile> {
    if (isPath(asked)) return this.#project.read(asked, signal);
    const { entries, faulty } = await this.list(signal);
    const named = asked.startsWith(SHIPPED)
      ? entries.filter(
          ({ origin, definition }) => origin === 'shipped' && asked === SHIPPED + definition.name,
        )
      : entries.filter(({ definition }) => definition.name === asked);
    const [first, ...others] = named;
    if (first && others.length === 0) return first;
    if (first) throw severalOf(asked, named);
    const broken = faulty.find(({ file }) => stem(file) === asked);
    if (broken) return broken;
    throw notFound(asked, entries);
  }
}

/** What to ask for a workflow by, alone among all. */
export function addressOf(
  { definition: { name }, origin, file }: WorkflowEntry,
  all: readonly WorkflowEntry[],
): string {
  const isAlone = all.filter(({ definition }) => definition.name === name).length === 1;
  if (isAlone) return name;
  return origin === 'shipped' ? SHIPPED + name : file;
}

/** NEXUS_INVALID_ARGUMENTS with every fault of a file. */
export function faultyError({ file, faults }: Pick<FaultyFile, 'file' | 'faults'>): ToolError {
  const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`;
  const lines = faults.map((fault) => faultLine(file, fault));
  return new ToolError('NEXUS_INVALID_ARGUMENTS', `${file} has ${count}:\n${lines.join('\n')}`, {
    detail: { file, faults },
  });
}

function isPath(asked: string): boolean {
  return /[/\\]/.test(asked) || /\.ya?ml$/i.test(asked);
}

function stem(file: string): string {
  return file.replace(/^.*\//, '').replace(/\.ya?ml$/i, '');
}

function severalOf(asked: string, named: readonly WorkflowEntry[]): ToolError {
  const ways = named.map((entry) => addressOf(entry, named)).join(', or ');
  return new ToolError(
    'NEXUS_CONFLICT',
    `"${asked}" stands for ${named.length} workflows; say which: ${ways}.`,
    {
      detail: { name: asked, files: named.map(({ file }) => file) },
    },
  );
}

function notFound(asked: string, entries: readonly WorkflowEntry[]): ToolError {
  const names = entries.map((entry) => addressOf(entry, entries));
  const text = `There is no workflow "${asked}"${hintOf(asked, names)}. list_workflows shows all; own ones lie in ${FOLDER}/.`;
  return new ToolError('NEXUS_NOT_FOUND', text, {
    detail: { name: asked, nearest: nearestOf(asked, names) },
  });
}
