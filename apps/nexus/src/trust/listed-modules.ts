/**
 * Whether a text gives Node's `process` a name that is not looked for, or lists what a whole module has: by either a
 * function is reached that no word of the text names.
 */
export function listsModule(text: string): boolean {
  const ofProcess = text.match(PROCESS)?.length ?? 0;
  if ((text.match(NAMED_PROCESS)?.length ?? 0) < ofProcess) return true;
  const names = new Set([...text.matchAll(WHOLE)].map(([, one, other]) => one ?? other));
  return names.size > 0 && [...text.matchAll(LISTED)].some(([, name]) => names.has(name));
}

const PROCESS = /["'`](?:node:)?process["'`]/g;
/** As `process`, and names of its members: both are looked for. */
const NAMED_PROCESS =
  /(?:\bimport\s+(?:process\s+|process\s*,\s*)?(?:\{(?:(?!\bdefault\b)[\w$\s,]){0,2000}\}\s*)?from\s*|\bprocess\s*=\s*require\s*\(\s*)["'](?:node:)?process["']/g;
/** `import * as name`, and `import name from 'node:…'`. */
const WHOLE = /\bimport\s+(?:type\s+)?(?:\*\s*as\s+([\w$]+)|([\w$]+)\s+from\s*["']node:)/g;
const LISTED = /(?:\bObject\s*\.\s*\w+\s*\(|\bin\b|\.\.\.)\s*([\w$]+)/g;
