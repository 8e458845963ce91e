/**
 * An example of a command as lines of help: with what it is for above it where there is no room beside it, since a shell
 * reads a comment to the end of its line.
 */
export function exampleLines(example: string, columns: number): string[] {
  const line = `  nexus ${example}`;
  const at = line.search(/\s# /);
  if (at < 0 || line.length <= columns) return [line];
  return [`  ${line.slice(at + 1)}`, line.slice(0, at).trimEnd()];
}
