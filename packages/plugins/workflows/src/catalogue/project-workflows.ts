import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Host, isToolError } from '@nexus/plugin-sdk';
import type { ReadFile } from '../definition/read-file.ts';
import type { Room } from '../reading/room.ts';
import { FOLDER, fileOf, readProjectFile } from './project-file.ts';
import type { FaultyFile, WorkflowEntry } from './workflow-entry.ts';

const MAX_FILES = 500;
const MAX_KEPT = 200;

type Visit = ReturnType<Room['visit']>;

/** What is in a project's own files, as they are now. */
export class ProjectWorkflows {
  readonly #host: Host;
  readonly #room: Room;
  /** By content, so that a file is read again only when it has changed. */
  readonly #kept = new Map<string, ReadFile>();

  constructor(host: Host, room: Room) {
    this.#host = host;
    this.#room = room;
  }

  /** Those in `.nexus/workflows/`. */
  async list(signal: AbortSignal): Promise<{ entries: WorkflowEntry[]; faulty: FaultyFile[] }> {
    const names = await readdir(join(this.#host.projectRoot, FOLDER)).catch(() => []);
    const files = names.filter((name) => /\.ya?ml$/i.test(name)).sort();
    const entries: WorkflowEntry[] = [];
    const faulty: FaultyFile[] = [];
    const visit = this.#room.visit({ signal });
    for (const name of files.slice(0, MAX_FILES)) {
      const file = `${FOLDER}/${name}`;
      const read = await this.#read(file, visit).catch((error: unknown) => {
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
  read(path: string, signal: AbortSignal): Promise<WorkflowEntry | FaultyFile> {
    return this.#read(path, this.#room.visit({ signal }));
  }

  /** Of a path, as entries have it. */
  fileOf(path: string): string {
    return fileOf(this.#host, path);
  }

  async #read(path: string, read: Visit): Promise<WorkflowEntry | FaultyFile> {
    const found = await readProjectFile(this.#host, path);
    const digest = createHash('sha256').update(found.text).digest('hex');
    const { definition, faults, work } = await this.#parse(found.text, digest, read);
    const about = { origin: 'project', file: found.file, digest, work } as const;
    return definition ? { ...about, definition } : { ...about, faults };
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
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(digest, parsed);
    return parsed;
  }
}
