/** A process that writes until it is killed: one line for each write that has answered. */
import { startPlugin } from '@nexus/testing';
import memory from '../src/index.ts';

const [dataDir = ''] = process.argv.slice(2);
const plugin = await startPlugin(memory, { dataDir });
for (let number = 0; ; number++) {
  const entry = { backend: 'agentic', key: `entry-${number}`, value: 'a durable lesson' };
  await plugin.answer('memory_write', entry);
  process.stdout.write(`${number}\n`);
}
