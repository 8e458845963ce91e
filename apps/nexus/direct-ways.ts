import type { OutputChunk } from 'rolldown';

/** A file that only hands on what another one makes: a module that was loaded by itself, and lies in a joined file now. */
const HANDS_ON = /^export\{([^{}]*)\}from"(\.\/[^"]+)";?\s*$/;
/** Node's own modules have nothing to do at their import. */
const BARE_BUILTIN = /import"node:[a-z/_]+";/g;
const DYNAMIC_IMPORT = /\bimport\([`"'](\.\/[^`"']+)[`"']\)/g;

/**
 * Leaves out what a start would load for nothing: each file costs Node.js half a millisecond, and so does an import of
 * one of its own modules. Whoever loads a module that lies in a joined file loads that file, and takes its names from it.
 * @throws {Error} where a file that is left out is named all the same
 */
export function withDirectWays(chunks: readonly OutputChunk[]): Map<string, string> {
  const code = new Map(chunks.map((chunk) => [chunk.fileName, chunk.code.replaceAll(BARE_BUILTIN, '')]));
  const left = new Map<string, { from: string; names: string }>();
  for (const { fileName, isEntry } of chunks) {
    const [, exported, from] = HANDS_ON.exec(code.get(fileName) ?? '') ?? [];
    if (isEntry || exported === undefined || from === undefined) continue;
    left.set(`./${fileName}`, { from, names: namesOf(exported) });
    code.delete(fileName);
  }
  const empty = chunks.filter(({ fileName }) => /^(export\{\};)?\s*$/.test(code.get(fileName) ?? 'there'));
  for (const { fileName } of empty) code.delete(fileName);
  for (const [fileName, text] of code) {
    let direct = text.replaceAll(DYNAMIC_IMPORT, (whole, path: string) => {
      const way = left.get(path);
      return way ? `import("${way.from}").then(m=>({${way.names}}))` : whole;
    });
    for (const gone of empty) direct = direct.replaceAll(`import"./${gone.fileName}";`, '');
    code.set(fileName, direct);
    for (const gone of [...left.keys(), ...empty.map((chunk) => `./${chunk.fileName}`)]) {
      if (direct.includes(gone)) throw new Error(`${fileName} still loads ${gone}, which is left out`);
    }
  }
  return code;
}

/** `a as b,c` as the members of the object that has these names. */
function namesOf(exported: string): string {
  return exported
    .split(',')
    .map((one) => {
      const [name, as = name] = one.split(' as ');
      return `${as}:m.${name}`;
    })
    .join(',');
}
