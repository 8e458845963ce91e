import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { stableHash } from '@nexus/primitives';
import type { Part } from './part.ts';

const FOLDER = '.nexus/workflows';
const MAX_FILES = 500;
const MAX_FILE_BYTES = 256 * 1024;
/** Tools that run other workflows: what those do is this schedule's doing too. */
const RUNS_OTHERS = /run_(?:graph_)?workflow/;

/** A workflow of the project that says when it is run by itself. */
export interface SchedulePart extends Part {
  /** Relative to the project, with `/`. */
  readonly file: string;
  /** Of the text that the trust is in, as `list_workflows` has it. */
  readonly digest: string;
}

/**
 * Files of the project that have a schedule: they start something though nobody asks, so each waits for its user's
 * trust, as it stands.
 */
export function scheduleParts(projectRoot: string): SchedulePart[] {
  const folder = join(projectRoot, FOLDER);
  const texts = workflowTexts(folder);
  return [...texts].flatMap(([name, text]) => {
    if (!/^["']?schedule["']?\s*:/m.test(text)) return [];
    const file = `${FOLDER}/${name}`;
    return [
      {
        place: realpathSync(join(folder, name)),
        path: ['schedules', file],
        name: `schedule: ${file}`,
        file,
        digest: createHash('sha256').update(text).digest('hex'),
        lines: [
          `runs ${file} by itself, at its times:`,
          ...text
            .trimEnd()
            .split('\n')
            .map((line) => `  ${line}`),
        ],
        hash: stableHash(RUNS_OTHERS.test(text) ? [file, [...texts]] : [file, text]),
      },
    ];
  });
}

function workflowTexts(folder: string): Map<string, string> {
  const names = listed(folder).filter((name) => /\.ya?ml$/i.test(name));
  return new Map(
    names
      .sort()
      .slice(0, MAX_FILES)
      .flatMap((name) => {
        const text = textOf(join(folder, name));
        return text === undefined ? [] : [[name, text] as const];
      }),
  );
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // most projects have none
  }
}

function textOf(path: string): string | undefined {
  try {
    const { size } = statSync(path);
    return statSync(path).isFile() && size <= MAX_FILE_BYTES ? decoded(readFileSync(path)) : undefined;
  } catch {
    return undefined; // gone since, or not for this user: then it is run by nobody either
  }
}

/** As whoever runs it reads it: without a byte order mark. */
function decoded(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
