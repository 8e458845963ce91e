import {
  type Assignment,
  type Host,
  namedFile,
  namedFileText,
  namesThere,
  type Reference,
  type RunContext,
  readNamedFile,
  type ToolCaller,
} from '@nexus/plugin-sdk';
import type { ExpertTool } from './expert-tools.ts';
import { digestOf } from './references.ts';

/** A file of the project as the reading tool shows it when the turn begins; plain JSON. */
export interface ShownFile {
  readonly path: string;
  readonly text: string;
}

/** Who is given more reads those that matter. */
const MAX_FILES = 4;
/** Of all together: what is more is read by whoever needs it, part by part. */
const MAX_CHARS = 60_000;

/**
 * The files that an assignment names, so that its expert need not ask for each: those of the task itself, or else of
 * the facts and of what others found. None where it names many, or where they are more than a prompt holds well. Each
 * is brought by a call of the tool that the expert itself would read it with, and is not shown where that is refused.
 */
export async function shownFiles(
  assignment: Assignment,
  run: RunContext,
  tool: ExpertTool,
): Promise<ShownFile[]> {
  const paths = await run.step(
    'files it is about',
    ({ tools }) => realPathsIn(assignment, { host: run.host, tools }),
    { title: 'finds what it is about' },
  );
  if (paths.length > MAX_FILES) return [];
  const read = await run.parallel(paths.map((path) => () => shown(path, run, tool)));
  const files = read.flatMap((text, at) => (text === null ? [] : [{ path: paths[at] ?? '', text }]));
  return files.reduce((all, { text }) => all + text.length, 0) > MAX_CHARS ? [] : files;
}

/** What the tool answers of one, as a call of the model's would be on record; null where it is refused. */
function shown(path: string, run: RunContext, tool: ExpertTool): Promise<string | null> {
  return run.step(
    `shows ${path}`,
    async ({ tools, signal }) => {
      if (tools.find(tool.name)?.origin !== tool.origin) return null;
      const text = await readNamedFile({ path }, { host: run.host, tools });
      // What ended because the run was ended is no refusal to be kept.
      signal.throwIfAborted();
      return text ?? null;
    },
    { title: tool.name, input: { name: tool.name, arguments: { path } }, isRepeatable: tool.isRepeatable },
  );
}

/** Of those that are there and may be shown, from the project: what a link is called says nothing of where it leads. */
async function realPathsIn(
  { task, context = {}, earlier = [] }: Assignment,
  { host, tools }: { readonly host: Host; readonly tools: ToolCaller },
): Promise<string[]> {
  const filesIn = async (text: string) => {
    const names = await namesThere(text, { project: host.project, tools });
    return [...new Set(names.flatMap(({ kind, name, file = name }) => (kind === 'file' ? [file] : [])))];
  };
  const named = await filesIn(task);
  const facts = Object.values(context).filter((value) => typeof value === 'string');
  const paths =
    named.length > 0 ? named : await filesIn([...facts, ...earlier.map(({ text }) => text)].join('\n\n'));
  if (paths.length > MAX_FILES) return paths;
  const real = await Promise.all(paths.map((path) => namedFile(path, host)));
  // In one order, whoever names them.
  return [...new Set(real.flatMap((path) => path ?? []))].sort();
}

export function shownText({ path, text }: ShownFile): string {
  return namedFileText(path, text);
}

/** It was read, as if the expert had asked for it. */
export function shownReference({ path, text }: ShownFile): Reference {
  return { tool: 'read_file', arguments: { path }, path, digest: digestOf(text), isError: false };
}
