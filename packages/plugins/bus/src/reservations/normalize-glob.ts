import { posix } from 'node:path';
import { ToolError } from '@nexus/plugin-sdk';

/**
 * One spelling for each glob: relative to the project root, `/` between segments, and a folder
 * (`src/`) as everything below it. So `\` never escapes, and Windows paths are what they say. White space around it may be
 * a slip or a part of the name: without it another file would be meant, and with it perhaps one that nobody has.
 * @throws {ToolError} NEXUS_INVALID_PATTERN for a glob that is empty, stands in white space or leads out of the project
 */
export function normalizeGlob(glob: string, projectRoot: string): string {
  if (glob.trim() === '') {
    throw new ToolError('NEXUS_INVALID_PATTERN', 'A glob is empty. Give "**" to mean the whole project.');
  }
  if (glob.trim() !== glob) {
    const text = `Glob ${JSON.stringify(glob)} begins or ends with white space. Leave it out; where the name has it, write "?" for each such character.`;
    throw new ToolError('NEXUS_INVALID_PATTERN', text, { detail: { glob } });
  }
  const root = withSlashes(projectRoot);
  const given = withSlashes(glob);
  const path = posix.normalize(beginsIn(given, root) ? `.${given.slice(root.length)}` : given);
  const isAbsolute = path.startsWith('/') || /^[a-zA-Z]:\//.test(path);
  if (isAbsolute || path === '..' || path.startsWith('../')) {
    const text = `Glob "${glob}" leads out of the project. Give globs relative to the project root ${projectRoot}, such as src/**.`;
    throw new ToolError('NEXUS_INVALID_PATTERN', text, { detail: { glob } });
  }
  if (path === '.' || path === './') return '**';
  return path.endsWith('/') ? `${path}**` : path;
}

/** Windows spells one path in many cases. */
function beginsIn(path: string, root: string): boolean {
  const fold = (text: string) => (/^[a-zA-Z]:/.test(root) ? text.toLowerCase() : text);
  return `${fold(path)}/`.startsWith(`${fold(root)}/`);
}

function withSlashes(path: string): string {
  return path.replaceAll('\\', '/').replace(/(?<=[^/])\/+$/, '/');
}
