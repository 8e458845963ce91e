/**
 * A worker that reads its inbox in a process of its own. Arguments: data directory, name of the bus, file for a line
 * per message that it was shown. Ends when there is nothing left to read.
 */
import { appendFileSync } from 'node:fs';
import { startBus } from './bus-under-test.ts';

const [dataDir = '', name = '', seen = ''] = process.argv.slice(2);
const bus = await startBus({ dataDir, options: { name } });

for (;;) {
  const { messages } = await bus.answer<{ messages: { body: string }[] }>('fetch_inbox', {
    worker: 'reader',
    limit: 50,
  });
  if (messages.length === 0) break;
  appendFileSync(seen, messages.map(({ body }) => `${body}\n`).join(''));
}
await bus.stop();
