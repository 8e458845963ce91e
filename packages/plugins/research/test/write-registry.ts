// A writer of the registry as a process: adds papers until it is ended, and says each that is kept.

import { registryFolder } from '../src/registry/folder.ts';
import { createRegistry } from '../src/registry/registry.ts';

const [root = '', name = '', count = '1'] = process.argv.slice(2);
const registry = createRegistry(registryFolder(root, '.nexus/research'));
const { signal } = new AbortController();
for (let at = 0; at < Number(count); at += 1) {
  const id = `doi:10.1000/${name}.${at}`;
  await registry.change(['papers'], signal, ({ papers }) =>
    papers.add({ id, title: `Paper ${at} of ${name}` }),
  );
  process.stdout.write(`${id}\n`);
}
