import { finished } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { JSON_RPC, type JsonRpcMessage } from '@nexus/core';
import { createTokenBucket } from '@nexus/primitives';
import { type ExitOfProgram, endGroup, type Started } from '@nexus/processes';
import type { Carrier } from '../carrier.ts';
import type { ConnectOptions } from '../connect-options.ts';
import type { Ending } from '../connection.ts';
import type { Mask } from '../mask-secrets.ts';
import type { ConnectionSettings } from '../settings.ts';
import { spawnServer } from './spawn-server.ts';
import { keepStderrTail } from './stderr-tail.ts';

/** How long a server may take to end by itself once its input has ended. */
const END_GRACE_MS = 1000;
/** Lines of its stderr that are logged, at `debug`; the last of all are kept, however many come. */
const STDERR_LINES = { burst: 200, perSecond: 20 };
/** How long a dead server's last words may take: a child of its own can hold its pipes open for ever. */
const LAST_WORDS_MS = 200;

/**
 * Starts a stdio server in a process group of its own.
 * @throws {ConnectionError} it could not be started; the signal's reason
 */
export async function openStdio(
  settings: ConnectionSettings,
  options: Pick<
    ConnectOptions,
    'serverName' | 'log' | 'projectRoot' | 'inherits' | 'openLines' | 'watchdog' | 'signal'
  >,
  mask: Mask,
): Promise<Carrier> {
  const { serverName, log, watchdog } = options;
  const child = await spawnServer(settings, options, mask);
  const { pid } = child;
  watchdog.watch(pid);
  const lines = createTokenBucket(STDERR_LINES);
  const tail = keepStderrTail(child.stderr, mask, (line) => {
    if (lines.take() === 0) log.debug(line, { server: serverName, pid });
  });

  let faultyLines = 0;
  let receive: (message: JsonRpcMessage) => void = () => {};
  const channel = options.openLines({
    kind: 'stdio',
    readable: child.stdout,
    writable: child.stdin,
    log,
    faulty(reason, answers) {
      faultyLines += 1;
      const write = faultyLines === 1 ? log.warn : log.debug;
      write('a server wrote a line that is no message', {
        server: serverName,
        reason: mask(reason),
        faultyLines,
      });
      // Whoever waits for it must not wait till the deadline.
      if (answers !== undefined) receive(faultyAnswer(serverName, answers, reason));
    },
  });

  const exited = onceExited(child);
  let endedGroup: Promise<void> | undefined;
  /** Also after the server's own end: its children may outlive it. */
  const endWhole = () => {
    endedGroup ??= endGroup(pid).then(() => watchdog.release(pid));
    return endedGroup;
  };
  const ended = exited.then(async (exit): Promise<Ending> => {
    void endWhole();
    return describe(exit, tail.text());
  });

  return {
    // A server that closes its output has ended, whatever else it does.
    channel: {
      ...channel,
      start({ message }) {
        receive = message;
        channel.start({
          message,
          closed() {
            void delay(LAST_WORDS_MS, undefined, { ref: false }).then(endWhole);
          },
        });
      },
    },
    pid,
    ended,
    async end() {
      void channel.close();
      await Promise.race([exited, delay(END_GRACE_MS, undefined, { ref: false })]);
      await endWhole();
      // At the latest now all of it is gone, but for processes that left the group and hold its pipes.
      child.stdout.destroy();
      child.stderr.destroy();
    },
  };
}

function faultyAnswer(serverName: string, id: string | number, reason: string): JsonRpcMessage {
  const message = `Server "${serverName}" answered with a faulty message: ${reason}`;
  return { jsonrpc: '2.0', id, error: { code: JSON_RPC.internalError, message } };
}

/** Resolves when the process is gone and all it wrote is read. */
async function onceExited({ exited, stdout, stderr }: Started): Promise<ExitOfProgram> {
  const read = Promise.allSettled([finished(stdout), finished(stderr)]);
  const exit = await exited;
  await Promise.race([read, delay(LAST_WORDS_MS, undefined, { ref: false })]);
  return exit;
}

function describe({ exitCode, signalName }: ExitOfProgram, stderrTail: string | undefined): Ending {
  const how = signalName ? `was ended by ${signalName}` : `exited with code ${exitCode ?? 'unknown'}`;
  return {
    reason: how,
    ...(exitCode === null ? {} : { exitCode }),
    ...(signalName === null ? {} : { signalName }),
    ...(stderrTail === undefined ? {} : { stderrTail }),
  };
}
