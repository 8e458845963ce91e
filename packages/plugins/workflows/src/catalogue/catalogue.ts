import { type Host, isToolError, nearestNames, ToolError } from '@nexus/plugin-sdk';
import { faultLine } from '../definition/fault.ts';
import type { Definition } from '../definition/file-schema.ts';
import { hintOf } from '../nearest.ts';
import type { Room } from '../reading/room.ts';
import { ANY, type Called, calledIn } from './called.ts';
import { FOLDER } from './project-file.ts';
import { type Looking, ProjectWorkflows } from './project-workflows.ts';
import { shippedWorkflows } from './shipped.ts';
import type { FaultyFile, WorkflowEntry } from './workflow-entry.ts';

/** Every workflow there is: those that come with Nexus, and the project's own as they are now. */
export class Catalogue {
  readonly #project: ProjectWorkflows;
  readonly #room: Room;

  constructor(host: Host, room: Room) {
    this.#project = new ProjectWorkflows(host, room);
    this.#room = room;
  }

  async list(
    looking: Looking,
  ): Promise<{ entries: readonly WorkflowEntry[]; faulty: readonly FaultyFile[] }> {
    const { entries, faulty } = await this.#project.list(looking);
    return { entries: [...(await shippedWorkflows(this.#room)), ...entries], faulty };
  }

  /**
   * By its name, or by a path in the project. `nexus:` before a name means what comes with Nexus, `workflow:` and
   * `graph:` the one of two that are called alike. A name that stands for two is refused: a file of a repository
   * never takes the place of what its user means.
   * @param how.prefer what the caller runs, where a workflow and a graph are called alike
   * @param how.kept of the run that calls it: what is among these is as it was when that began
   * @returns a file with its faults where it is none that can be run
   * @throws {ToolError} NEXUS_NOT_FOUND with the nearest, NEXUS_CONFLICT
   */
  async find(
    asked: string,
    { prefer, kept = [], ...looking }: LookingFurther & { readonly prefer?: Definition['kind'] },
  ): Promise<WorkflowEntry | FaultyFile> {
    const own = this.#among(asked, kept);
    if (own.length === 0 && isPath(asked)) return this.#project.read(asked, looking);
    const { entries, faulty } = own.length === 0 ? await this.list(looking) : { entries: own, faulty: [] };
    const named = this.#among(asked, entries);
    const preferred = named.filter(({ definition }) => definition.kind === prefer);
    const [first, ...others] = preferred.length > 0 ? preferred : named;
    if (first && others.length === 0) return first;
    if (first) throw severalOf(asked, [first, ...others]);
    const broken = faulty.find(({ file }) => stem(file) === asked);
    if (broken) return broken;
    throw notFound(asked, entries);
  }

  /**
   * All that steps of a workflow may call, and that those may in turn: whatever a name or a path stands for, and
   * everything there is where a step says it only when it runs. What can't be found or run now is not among it.
   */
  async calledBy(work: WorkflowEntry['work'], looking: LookingFurther): Promise<readonly WorkflowEntry[]> {
    const found = new Map<string, WorkflowEntry>();
    const all = calledIn(work);
    for (const asked of all) {
      for (const entry of await this.#meant(asked, looking)) {
        const key = `${entry.origin} ${entry.file}`;
        if (found.has(key)) continue;
        found.set(key, entry);
        for (const further of calledIn(entry.work)) all.add(further);
      }
    }
    return [...found.values()];
  }

  async #meant(asked: Called, { kept = [], ...looking }: LookingFurther): Promise<readonly WorkflowEntry[]> {
    if (asked !== ANY) {
      const own = this.#among(asked, kept);
      if (own.length > 0) return own;
      if (isPath(asked)) return this.#project.read(asked, looking).then(runnable, noFile);
    }
    const { entries } = await this.list(looking);
    return asked === ANY ? [...kept, ...entries] : this.#among(asked, entries);
  }

  #among(asked: string, entries: readonly WorkflowEntry[]): readonly WorkflowEntry[] {
    if (isPath(asked)) {
      const file = this.#project.fileOf(asked);
      return entries.filter((entry) => entry.origin === 'project' && entry.file === file);
    }
    const { name, marks } = readName(asked);
    return entries.filter(
      ({ definition, origin }) =>
        definition.name === name &&
        marks.every((mark) => mark === definition.kind || (mark === 'nexus' && origin === 'shipped')),
    );
  }
}

interface LookingFurther extends Looking {
  readonly kept?: readonly WorkflowEntry[] | undefined;
}

function runnable(read: WorkflowEntry | FaultyFile): readonly WorkflowEntry[] {
  return 'definition' in read ? [read] : [];
}

function noFile(error: unknown): readonly WorkflowEntry[] {
  if (isToolError(error)) return [];
  throw error;
}

const MARK = /^(nexus|workflow|graph):/;

function readName(asked: string): { name: string; marks: string[] } {
  const marks: string[] = [];
  let name = asked;
  for (let mark = MARK.exec(name); mark; mark = MARK.exec(name)) {
    marks.push(String(mark[1]));
    name = name.slice(mark[0].length);
  }
  return { name, marks };
}

/** What to ask for a workflow by, alone among all of its kind. */
export function addressOf(entry: WorkflowEntry, all: readonly WorkflowEntry[]): string {
  const { definition, origin, file } = entry;
  const isOne = (other: WorkflowEntry) =>
    other.definition.name === definition.name && other.definition.kind === definition.kind;
  if (all.filter(isOne).length === 1) return definition.name;
  return origin === 'shipped' ? `nexus:${definition.name}` : file;
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
  const ways = named
    .map((entry) => {
      const address = addressOf(entry, named);
      return address === asked ? `${entry.definition.kind}:${address}` : address;
    })
    .join(', or ');
  return new ToolError(
    'NEXUS_CONFLICT',
    `"${asked}" stands for ${named.length} workflows; say which: ${ways}.`,
    {
      detail: { name: asked, files: named.map(({ file }) => file) },
    },
  );
}

function notFound(asked: string, entries: readonly WorkflowEntry[]): ToolError {
  const names = [...new Set(entries.map((entry) => addressOf(entry, entries)))];
  const hint = hintOf(asked, names);
  const end = hint.endsWith('?') ? '' : '.';
  const text = `There is no workflow "${asked}"${hint}${end} list_workflows shows all; own ones lie in ${FOLDER}/.`;
  return new ToolError('NEXUS_NOT_FOUND', text, {
    detail: { name: asked, nearest: nearestNames(asked, names) },
  });
}
