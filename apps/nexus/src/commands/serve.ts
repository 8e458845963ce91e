import { counted } from '@nexus/primitives';
import { joinOrClaim, meetingPoint } from '@nexus/transports/ipc';
import { createLog } from '../log.ts';
import { logLevel } from '../log-level.ts';
import { EXIT_AFTER_REQUEST_MS, endBySignals } from '../server/end-by-signals.ts';
import { reloadOnHangup } from '../server/follow-config.ts';
import { readHttpAddress } from '../server/http-address.ts';
import { locate } from '../server/locate.ts';
import { keepHeapSmall } from '../server/small-heap.ts';
import type { HttpChoice, RunningHttp } from '../server/start-http.ts';
import { startServer } from '../server/start-server.ts';
import { fail, say } from '../terminal/output.ts';
import { type Command, configOption, type Options, text, verboseOption } from './command.ts';

export const serve: Command = {
  usage: 'serve',
  summary: 'run the project’s server without a host, until Ctrl-C or `nexus stop`',
  needsTrust: true,
  options: [
    {
      flags: '--http [address]',
      description: 'serve HTTP too, at [host:]port (default: host and port of the config)',
    },
    { flags: '--no-auth', description: 'let any process of this machine call by HTTP, without a token' },
    configOption,
    verboseOption,
  ],
  examples: ['serve', 'serve --http 7333', 'serve --verbose'],
  async run(_args, options) {
    keepHeapSmall();
    const config = text(options, 'config');
    const http = httpChoice(options);
    const level = logLevel(options.verbose === true);
    const ending = endBySignals();
    const point = await meetingPoint(locate(config).identity);
    const session = { sessionId: crypto.randomUUID(), isResumed: false, environment: {} };
    const log = createLog(level);
    const joined = await joinOrClaim({ point, session, log, signal: ending.signal });
    if (joined.role === 'joined') {
      joined.socket.destroy();
      return fail('a server runs for this project already; `nexus status` shows it');
    }
    const server = await startServer({ config, level, claim: joined.claim, http });
    reloadOnHangup(ending, server);
    const { nexus, loaded } = server;
    say(
      `Nexus serves ${counted(nexus.registry.listed().length, 'tool')} for ${loaded.projectRoot}. Ctrl-C ends it.`,
    );
    if (server.http) say(describeHttp(server.http));
    // By HTTP it goes on with whom it has; without, nobody is left to it.
    const replaced = server.http ? [] : [server.replaced.then(sayReplaced)];
    await Promise.race([ending.requested, server.stopRequested, ...replaced]);
    ending.begin(EXIT_AFTER_REQUEST_MS);
    await server.stop(EXIT_AFTER_REQUEST_MS);
    return Number(process.exitCode ?? 0);
  },
};

function sayReplaced(): void {
  say(
    'This server hung, and another process serves the project since: nothing is left to this one, and it ends.',
  );
}

/** @returns undefined where the config alone decides */
function httpChoice(options: Options): HttpChoice | undefined {
  const hasAuth = options.auth !== false;
  if (options.http === undefined) {
    if (!hasAuth) throw new Error('--no-auth is about HTTP; add --http [host:]port');
    return undefined;
  }
  return { ...(typeof options.http === 'string' ? readHttpAddress(options.http) : {}), hasAuth };
}

function describeHttp({ url, tokenFile }: RunningHttp): string {
  const access = tokenFile ? `bearer token in ${tokenFile}` : 'no token needed';
  return `HTTP: ${url} (${access})`;
}
