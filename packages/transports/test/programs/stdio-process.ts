// A server process with a stdio channel that its parent drives over Node's own parent channel, so that the
// conformance suite can hold the server's side of a real process.
import { stdioChannel } from '../../src/stdio/index.ts';
import { collectingLog } from '../collecting-log.ts';
import type { FromProcess, ToProcess } from './stdio-process-protocol.ts';

const channel = stdioChannel({ log: collectingLog().log });
const tell = (message: FromProcess) => process.send?.(message);

process.on('message', (order: ToProcess) => {
  switch (order.do) {
    case 'start':
      console.log('a stray line of a library');
      channel.start({
        message: (message) => tell({ event: 'message', message }),
        closed: () => tell({ event: 'closed' }),
      });
      break;
    case 'send':
      void channel.send(order.message).then(() => tell({ event: 'done', call: order.call }));
      break;
    case 'close':
      void close(order.call);
  }
});

async function close(call: number): Promise<void> {
  await channel.close();
  await channel.send({ jsonrpc: '2.0', method: 'test/late' });
  await channel.close();
  tell({ event: 'done', call });
  // Nothing else may keep the process: its exit is what ends the parent's side.
  process.disconnect();
}

tell({ event: 'ready' });
