import { execFile } from 'node:child_process';
import { programEnvironment } from '@nexus/plugin-sdk';

/** Long enough for any module to be read, in a process that does no more. */
const READ_MS = 10_000;

/**
 * Where a module, or one that it imports, does not parse. Node.js says that only of an error that ends a process, so
 * one is made for it; none of the modules runs, since all of them are parsed first.
 * @returns as `file:///…:line`; undefined where it can't be told
 */
export async function syntaxPlace(url: string): Promise<string | undefined> {
  const args = ['--input-type=module', '--eval', `import ${JSON.stringify(url)}`];
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      args,
      { env: programEnvironment([]), timeout: READ_MS, windowsHide: true },
      (error, _stdout, stderr) => {
        resolve(error ? /^file:\/\/\S+:\d+$/m.exec(stderr)?.[0] : undefined);
      },
    );
  });
}
