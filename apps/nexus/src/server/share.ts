import { joinOrClaim, joinRunning, meetingPoint, type SessionHello } from '@nexus/transports/ipc';
import { bridge } from './bridge.ts';
import { lazyLog } from './lazy-log.ts';
import { locate } from './locate.ts';
import type { RunOptions } from './run-mode.ts';
import { sessionEnvironment } from './session-environment.ts';

/** `--mode=server`: joins the project's running server, or becomes it where there is none. */
export async function shareOrOwn(options: RunOptions): Promise<void> {
  const { config, level, ending, stdout } = options;
  const log = lazyLog(level);
  const { identity, projectRoot, configFile } = locate(config);
  const point = await meetingPoint(identity);
  const session = newSession(configFile);
  const joined = await joinOrClaim({ point, session, log, signal: ending.signal });
  if (joined.role === 'joined') {
    // Loaded for people alone: what it needs would cost each host's bridge 4 MB.
    if (process.stdin.isTTY) {
      const { greet } = await import('./greet.ts');
      greet(`joined the server that runs for ${projectRoot}; \`nexus status\` shows it`, configFile);
    }
    return bridge({ point, joined, session, stdout, ending, log, level, config, mayOwn: true });
  }
  (await import('./small-heap.ts')).keepHeapSmall();
  const { serveStdio } = await import('./serve-stdio.ts');
  await serveStdio({ config, level, ending, stdout, claim: joined.claim });
}

/**
 * `--mode=client`: only joins, and waits for the next server when that one dies.
 * @throws {Error} where none runs now
 */
export async function shareOnly({ config, level, ending, stdout }: RunOptions): Promise<void> {
  const log = lazyLog(level);
  const { identity, configFile } = locate(config);
  const point = await meetingPoint(identity);
  const session = newSession(configFile);
  const joined = await joinRunning({ point, session, log, signal: ending.signal });
  if (!joined) {
    throw new Error(
      `no server runs for ${identity.projectRoot}; start one by \`nexus serve\`, or use --mode=server`,
    );
  }
  await bridge({ point, joined, session, stdout, ending, log, level, config, mayOwn: false });
}

function newSession(configFile: string | undefined): SessionHello {
  const environment = sessionEnvironment(configFile);
  return { sessionId: crypto.randomUUID(), isResumed: false, environment };
}
