import { joinOrClaim, meetingPoint } from '@nexus/transports/ipc';
import { createLog } from '../log.ts';
import { logLevel } from '../log-level.ts';
import { EXIT_AFTER_REQUEST_MS, endBySignals } from '../server/end-by-signals.ts';
import { locate } from '../server/locate.ts';
import { startServer } from '../server/start-server.ts';
import { type Command, configOption, text, verboseOption } from './command.ts';

export const serve: Command = {
  usage: 'serve',
  summary: 'run the project’s server without a host, until Ctrl-C or `nexus stop`',
  options: [configOption, verboseOption],
  examples: ['serve', 'serve --verbose'],
  async run(_args, options) {
    const config = text(options, 'config');
    const level = logLevel(options.verbose === true);
    const ending = endBySignals();
    const point = await meetingPoint(locate(config).identity);
    const session = { sessionId: crypto.randomUUID(), isResumed: false, environment: {} };
    const log = createLog(level);
    const joined = await joinOrClaim({ point, session, log, signal: ending.signal });
    if (joined.role === 'joined') {
      joined.socket.destroy();
      process.stderr.write('nexus: a server runs for this project already; `nexus status` shows it\n');
      return 1;
    }
    const server = await startServer({ config, level, claim: joined.claim });
    const { nexus, loaded } = server;
    process.stderr.write(
      `Nexus serves ${nexus.registry.list().length} tools for ${loaded.projectRoot}. Ctrl-C ends it.\n`,
    );
    await Promise.race([ending.requested, server.stopRequested]);
    ending.begin(EXIT_AFTER_REQUEST_MS);
    await server.stop();
    return Number(process.exitCode ?? 0);
  },
};
