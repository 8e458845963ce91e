import { PassThrough } from 'node:stream';
import { rawClient, testTransport } from '@nexus/testing';
import { collectingLog } from '../../test/collecting-log.ts';
import { socketPair } from '../../test/socket-pair.ts';
import { jsonLinesChannel } from './index.ts';

const { log } = collectingLog();

testTransport('JSON lines over a socket', async () => {
  const { near, far, dispose } = await socketPair();
  return {
    server: jsonLinesChannel({ kind: 'socket', readable: near, writable: near, log }),
    client: rawClient({ readable: far, writable: far }),
    dispose,
  };
});

testTransport('JSON lines in memory', async () => {
  const toServer = new PassThrough();
  const toClient = new PassThrough();
  return {
    server: jsonLinesChannel({ kind: 'memory', readable: toServer, writable: toClient, log }),
    client: rawClient({ readable: toClient, writable: toServer }),
    async dispose() {
      toServer.destroy();
      toClient.destroy();
    },
  };
});
