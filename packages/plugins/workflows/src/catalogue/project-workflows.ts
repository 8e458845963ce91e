import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type CallContext, type Host, isToolError } from '@nexus/plugin-sdk';
import { isInside } from '@nexus/primitives';
import type { ReadFile } from '../definition/read-file.ts';
import type { Room } from '../reading/room.ts';
import { FOLDER, fileOf, placeOf, readProjectFile } from './project-file.ts';
import { stampOf } from './stamp.ts';
import type { FaultyFile, WorkflowEntry } from './workflow-entry.ts';

const MAX_FILES = 500;
const MAX_KEPT = 200;

type Visit = ReturnType<Room['visit']>;
type Readable = (absolute: string) => boolean;

/** Whose call it is that looks: what its roots leave out is not there for it. */
export type Looking = Pick<CallContext, 'signal' | 'roots'>;

async function readableBy({ roots }: Looking): Promise<Readable> {
  const readable = await roots().catch((error: unknown) => {
    if (!isToolError(error)) throw error;
    // Where the server's folder is no project there is none to hold anyone to.
    return error.code === 'NEXUS_OUTSIDE_ROOTS' ? [] : undefined;
  });
  return (path) => readable?.some(({ path: folder }) => isInside({ path, folder })) ?? true;
}

/** What is in a project's own files, as they are now. */
export class ProjectWorkflows {
  readonly #host: Host;
  readonly #room: Room;
  /** By content, so that a file is read again only when it has changed. */
  readonly #kept = new Map<string, ReadFile>();
  /** By place: what was read of a file that is as it was, as its stamp tells, need not be opened again. */
  readonly #unchanged = new Map<string, Unchanged>();

  constructor(host: Host, room: Room) {
    this.#host = host;
    this.#room = room;
  }

  /** Those in `.nexus/workflows/`. */
  async list(looking: Looking): Promise<{ entries: WorkflowEntry[]; faulty: FaultyFile[] }> {
    const isReadable = await readableBy(looking);
    const names = await readdir(join(this.#host.projectRoot, FOLDER)).catch(() => []);
    const files = names
      .filter((name) => /\.ya?ml$/i.test(name) && isReadable(join(this.#host.projectRoot, FOLDER, name)))
      .sort();
    const entries: WorkflowEntry[] = [];
    const faulty: FaultyFile[] = [];
    const visit = this.#room.visit({ signal: looking.signal });
    for (const name of files.slice(0, MAX_FILES)) {
      const file = `${FOLDER}/${name}`;
      const read = await this.#read(file, visit, isReadable).catch((error: unknown) => {
        if (!isToolError(error)) throw error;
        const faults = [{ line: 1, column: 1, path: '', message: error.message }];
        return { origin: 'project', file, faults, work: [] } satisfies FaultyFile;
      });
      if ('definition' in read) entries.push(read);
      else faulty.push(read);
    }
    if (files.length > MAX_FILES) {
      const message = `${FOLDER} has ${files.length} workflow files; those after the first ${MAX_FILES}, by name, are not read; move what is no workflow of its own elsewhere`;
      faulty.push({
        origin: 'project',
        file: FOLDER,
        faults: [{ line: 1, column: 1, path: '', message }],
        work: [],
      });
    }
    return { entries, faulty };
  }

  /** @throws {ToolError} where the path is no file of the project, or can't be read */
  async read(path: string, looking: Looking): Promise<WorkflowEntry | FaultyFile> {
    return this.#read(path, this.#room.visit({ signal: looking.signal }), await readableBy(looking));
  }

  /** Of a path, as entries have it. */
  fileOf(path: string): string {
    return fileOf(this.#host, path);
  }

  async #read(path: string, read: Visit, isReadable: Readable): Promise<WorkflowEntry | FaultyFile> {
    const { projectRoot } = this.#host;
    const place = resolve(placeOf(path, projectRoot));
    const isInSight = isInside({ path: place, folder: projectRoot }) && isReadable(place);
    // Before it is read: what changes meanwhile has another one from then on.
    const stamp = isInSight ? await stampOf(place) : undefined;
    const before = this.#unchanged.get(place);
    if (stamp !== undefined && before?.stamp === stamp && isReadable(before.real)) return before.found;
    const { file, real, text } = await readProjectFile(this.#host, path, isReadable);
    const digest = createHash('sha256').update(text).digest('hex');
    const { definition, faults, work } = await this.#parse(text, digest, read);
    const about = { origin: 'project', file, digest, work } as const;
    const found = definition ? { ...about, definition } : { ...about, faults };
    // One that was given up has another try.
    if (stamp !== undefined && this.#kept.has(digest)) keep(this.#unchanged, place, { stamp, real, found });
    return found;
  }

  async #parse(text: string, digest: string, read: Visit): Promise<ReadFile> {
    const before = this.#kept.get(digest);
    if (before) return before;
    const parsed = await read('readFile', text).catch((error: unknown) => {
      if (!isToolError(error)) throw error;
      return error;
    });
    // One that was given up may be read by another call, which has its time to itself.
    if (parsed instanceof Error) {
      return { faults: [{ line: 1, column: 1, path: '', message: parsed.message }], work: [] };
    }
    keep(this.#kept, digest, parsed);
    return parsed;
  }
}

interface Unchanged {
  readonly stamp: string;
  /** Where symlinks led: also that must lie in sight of whoever asks. */
  readonly real: string;
  readonly found: WorkflowEntry | FaultyFile;
}

function keep<Value>(kept: Map<string, Value>, key: string, value: Value): void {
  const [oldest] = kept.keys();
  if (kept.size >= MAX_KEPT && oldest !== undefined && !kept.has(key)) kept.delete(oldest);
  kept.set(key, value);
}
