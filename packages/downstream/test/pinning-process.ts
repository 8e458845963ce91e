/**
 * A machine that lists tools, in a process of its own. Arguments: data directory, and the URL of the database where
 * there is one. Each line on stdin is a list, `[server, [[tool, description], …]]`, and is answered by a line with the
 * names of the tools that are held back.
 */
import { createInterface } from 'node:readline';
import { createStore } from '@nexus/store';
import { createPinStore } from '../src/pins/pin-store.ts';
import { pinHash } from '../src/pins/pinned-fields.ts';
import { opener } from '../src/store/database.ts';

const [dataDir = '', databaseUrl] = process.argv.slice(2);
const store = createStore({ projectId: 'test', dataDir, databaseUrl });
const pins = createPinStore(opener(store));

for await (const line of createInterface({ input: process.stdin })) {
  const [server, listed] = JSON.parse(line) as [string, [string, string][]];
  const tools = listed.map(([name, description]) => {
    const definition = { name, description, inputSchema: { type: 'object' } };
    return { name, hash: pinHash(definition), definition };
  });
  const pending = await pins.check({ toolbox: 'box', server }, tools);
  process.stdout.write(`${JSON.stringify([...pending])}\n`);
}
await store.close();
