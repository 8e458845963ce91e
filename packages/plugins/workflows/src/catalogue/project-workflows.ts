import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Host, isToolError, type WorkerPool } from '@nexus/plugin-sdk';
import type { ReadFile } from '../definition/read-file.ts';
import { fileReaders } from '../definition/read-in-thread.ts';
import { FOLDER, type ProjectFile, readProjectFile } from './project-file.ts';
import type { FaultyFile, WorkflowEntry } from './workflow-entry.ts';

/** What a file may take to be read; an honest one takes a few milliseconds. */
const TIME_LIMIT_MS = 3_000;
const MAX_FILES = 500;
const MAX_KEPT = 200;

/** What is in a project's own files, as they are now. */
export class ProjectWorkflows {
  readonly #host: Host;
  readonly #pool: WorkerPool<string, ReadFile>;
  /** By content, so that a file is read again only when it has changed. */
  readonly #kept = new Map<string, ReadFile>();

  constructor(host: Host) {
    this.#host = host;
    this.#pool = fileReaders(host.workers);
  }

  /** Those in `.nexus/workflows/`. */
  async list(signal: AbortSignal): Promise<{ entries: WorkflowEntry[]; faulty: FaultyFile[] }> {
    const names = await readdir(join(this.#host.projectRoot, FOLDER)).catch(() => []);
    const files = names.filter((name) => /\.ya?ml$/i.test(name)).sort();
    const entries: WorkflowEntry[] = [];
    const faulty: FaultyFile[] = [];
    for (const name of files.slice(0, MAX_FILES)) {
      const file = `${FOLDER}/${name}`;
      const read = await this.read(file, signal).catch((error: unknown) => {
        if (!isToolError(error)) throw error;
        const faults = [{ line: 1, column: 1, path: '', message: error.message }];
        return { origin: 'project', file, faults, work: [] } satisfies FaultyFile;
      });
      if ('definition' in read) entries.push(read);
      else faulty.push(read);
    }
    return { entries, faulty };
  }

  /** @throws {ToolError} where the path is no file of the project, or can't be read */
  async read(path: string, signal: AbortSignal): Promise<WorkflowEntry | FaultyFile> {
    const found = await readProjectFile(this.#host, path);
    const { definition, faults, work } = await this.#parse(found, signal);
    const about = { origin: 'project', file: found.file, work } as const;
    return definition ? { ...about, definition } : { ...about, faults };
  }

  async #parse({ text }: ProjectFile, signal: AbortSignal): Promise<ReadFile> {
    const hash = createHash('sha256').update(text).digest('base64');
    const before = this.#kept.get(hash);
    if (before) return before;
    const outcome = await this.#pool.run(text, { signal, timeLimitMs: TIME_LIMIT_MS });
    if (outcome.fault !== undefined) {
      const message = `can't be read as YAML: reading it ${outcome.reason}`;
      return { faults: [{ line: 1, column: 1, path: '', message }], work: [] };
    }
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(hash, outcome.answer);
    return outcome.answer;
  }
}
