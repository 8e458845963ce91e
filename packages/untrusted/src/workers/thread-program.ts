import { bundleModule } from './bundle-module.ts';

interface ThreadProgram {
  readonly code: string;
  readonly data: { readonly module: string };
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
  const { default: run } = await import(workerData.module);
  parentPort.on('message', async (task) => parentPort.postMessage(await run(task)));
  parentPort.postMessage(systemThread());
};
start();
`;

export function programFor(module: URL): ThreadProgram {
  const href = module.pathname.endsWith('.ts') ? bundleModule(module) : module.href;
  return { code: CODE, data: { module: href } };
}
