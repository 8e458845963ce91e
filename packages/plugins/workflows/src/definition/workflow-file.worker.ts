import { type ReadFile, readFile } from './read-file.ts';

/** Runs in a thread, since a file may be made to hold whoever reads it as YAML. */
export default async function run(text: string): Promise<ReadFile> {
  return readFile(text);
}
