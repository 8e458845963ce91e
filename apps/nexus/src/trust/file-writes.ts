import { WordPlaces } from './word-places.ts';

/**
 * Whether a script may write, move or take away files: then what it loads can be another file than the one that a yes
 * holds. What it uses of Node's `fs` counts as that unless it is on the list of what reads.
 * @param text with its escapes read
 */
export function mayWriteFiles(text: string): boolean {
  const places = new WordPlaces(text);
  return [...text.matchAll(OF_FILES)].some(({ index }) => {
    const before = text.slice(Math.max(0, index - MOST_CHARS), index);
    const [, imports, members] = LISTED.exec(before) ?? [];
    const listed = imports ?? members;
    if (listed !== undefined) return !listed.split(',').every(isReader);
    const [, imported, required] = WHOLE.exec(before) ?? [];
    const name = imported ?? required;
    return name === undefined || !onlyReads(name, places);
  });
}

const OF_FILES = /["'`](?:node:)?fs(?:\/promises)?["'`]/g;
const MOST_CHARS = 1_000;
const LISTED = /\b(?:import\s*\{([\w$\s,]*)\}\s*from\s*|const\s*\{([\w$\s,:]*)\}\s*=\s*require\s*\(\s*)$/;
const WHOLE = /\b(?:import\s+(?:\*\s*as\s+)?([\w$]+)\s+from\s*|const\s+([\w$]+)\s*=\s*require\s*\(\s*)$/;
const READER =
  /^(?:readFile|exists|stat|lstat|fstat|statfs|access|readdir|opendir|readlink|realpath|read|readv|close)(?:Sync)?$|^(?:createReadStream|watch|watchFile|unwatchFile|constants)$/;

/** `readFile`, `readFile as read` or `readFile: read`. */
function isReader(part: string): boolean {
  const [name = ''] = part.trim().split(/[\s:]/);
  return name === '' || READER.test(name);
}

/** Wherever it stands, it is asked for what reads, by its name. */
function onlyReads(name: string, places: WordPlaces): boolean {
  return places.every(name, (before, after) => {
    if (/["'`](?:node:)?$/.test(before) || /^\s*(?:from\s*|=\s*require\s*\(\s*)["'`]/.test(after))
      return true;
    const [, member] = /^\s*\??\.\s*(?:promises\s*\.\s*)?([\w$]+)/.exec(after) ?? [];
    return member !== undefined && READER.test(member);
  });
}
