import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

interface ThreadProgram {
  readonly code: string;
  readonly data: { readonly module: string; readonly loader?: string };
}

/**
 * What a thread runs: it loads the module, says under which name the system knows the
 * thread, and answers tasks one after the other. A text, so that it needs no file that could be missing
 * beside a bundle.
 */
const CODE = `
const { parentPort, workerData } = require('node:worker_threads');
const systemThread = () => {
  try {
    return require('node:fs').readlinkSync('/proc/thread-self');
  } catch {
    return undefined;
  }
};
const start = async () => {
  if (workerData.loader) (await import(workerData.loader)).register();
  const { default: run } = await import(workerData.module);
  parentPort.on('message', async (task) => parentPort.postMessage(await run(task)));
  parentPort.postMessage(systemThread());
};
start();
`;

export function programFor(module: URL): ThreadProgram {
  if (!module.pathname.endsWith('.ts')) return { code: CODE, data: { module: module.href } };
  return { code: CODE, data: { module: module.href, loader: typeScriptLoader() } };
}

/** Node 20 reads no TypeScript; from source, which is never so where Nexus is installed, tsx does. */
function typeScriptLoader(): string {
  const manifest = createRequire(import.meta.url).resolve('tsx/package.json');
  return new URL('./dist/esm/api/index.mjs', pathToFileURL(manifest)).href;
}
