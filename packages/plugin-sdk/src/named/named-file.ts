import { realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Host } from '../host.ts';
import { fence } from '../models/fence.ts';
import type { ToolCaller } from '../tool-caller.ts';

/** Such a file is read by whoever asks for it, and shown to nobody because a text names it. */
const MAY_BE_SECRET = /(?:^|\/)\.|\.env(?:\/|$)/i;

/**
 * The real path of a file that a text names, from the project. What a link is called says nothing of where it leads.
 * @returns undefined where it is not there, lies elsewhere, or may hold a secret: a hidden file, one in a hidden
 *   folder, and one that ends in `.env`
 */
export async function namedFile(
  named: string,
  { projectRoot }: Pick<Host, 'projectRoot'>,
): Promise<string | undefined> {
  const path = await realpath(join(projectRoot, named)).catch(() => undefined);
  if (path === undefined) return undefined;
  // Outside of the project it begins with `..`.
  const inProject = relative(projectRoot, path).split(sep).join('/');
  const names = [named.replace(/^\.\//, ''), inProject];
  return names.some((each) => MAY_BE_SECRET.test(each)) ? undefined : inProject;
}

interface ShownBy {
  readonly host: Pick<Host, 'projectRoot'>;
  /** Of the step that shows it: its permissions, roots and limits hold, and its run knows what it was shown. */
  readonly tools: ToolCaller;
}

/**
 * A file that a text names, as `read_file` of the caller shows it: its lines after their numbers.
 * @param lines `40-80`, or `40-` for the rest; by default all
 * @returns undefined where {@link namedFile} has none, the caller has no such tool, or it refuses
 */
export function readNamedFile(
  { path, lines }: { readonly path: string; readonly lines?: string },
  by: ShownBy,
): Promise<string | undefined> {
  const range = lines === undefined ? {} : { lines };
  return showNamedFile(path, by, { tool: 'read_file', asked: (file) => ({ path: file, ...range }) });
}

/** What a file that a text names declares, as `extract_symbols` of the caller tells it; see {@link readNamedFile}. */
export function outlineNamedFile(
  { path }: { readonly path: string },
  by: ShownBy,
): Promise<string | undefined> {
  return showNamedFile(path, by, { tool: 'extract_symbols', asked: (filePath) => ({ filePath }) });
}

async function showNamedFile(
  named: string,
  { host, tools }: ShownBy,
  {
    tool,
    asked,
  }: { readonly tool: string; readonly asked: (file: string) => Readonly<Record<string, unknown>> },
): Promise<string | undefined> {
  const path = await namedFile(named, host);
  if (path === undefined || !tools.find(tool)) return undefined;
  // Absolute: a relative one is looked for in each root of the caller, and may be another file there.
  const result = await tools.call(tool, { arguments: asked(join(host.projectRoot, path)) });
  if (result.isError) return undefined;
  return result.content.flatMap(({ text }) => text ?? []).join('\n\n');
}

/** What was read so, for a prompt. */
export function namedFileText(path: string, text: string): string {
  return fence(`read_file of ${path}, as it stands`, text);
}
