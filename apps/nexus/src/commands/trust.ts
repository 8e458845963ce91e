import { tellServer } from '../client/tell-server.ts';
import { confirm } from '../terminal/confirm.ts';
import { readJudged } from '../trust/read-judged.ts';
import { shownParts } from '../trust/shown-parts.ts';
import { readTrust, revokeTrust, trustParts } from '../trust/trust-record.ts';
import { type Command, jsonOption } from './command.ts';
import { fail, print, printJson, warn } from './output.ts';

export const trust: Command = {
  usage: 'trust',
  summary: 'show what the project’s config would run, load and send, and let it',
  options: [
    { flags: '--yes', description: 'without a question' },
    { flags: '--all', description: 'show what is trusted already, too' },
    { flags: '--revoke', description: 'trust nothing of the project’s config any more' },
    jsonOption,
  ],
  examples: ['trust', 'trust --all', 'trust --yes', 'trust --revoke'],
  async run(_args, options) {
    const { configFile, refused, parts, waiting } = await readJudged(undefined);
    for (const reason of refused) warn(reason);
    if (configFile === undefined) return print(['There is no config here, so nothing to trust.']);
    if (options.revoke === true) {
      revokeTrust(configFile);
      await tellServer();
      return print([`Nothing of ${configFile} is trusted any more.`]);
    }
    const record = readTrust(configFile);
    if (options.json === true) {
      const shown = (list: typeof parts) => list.map(({ name, lines }) => ({ name, lines }));
      printJson({ configFile, parts: shown(parts), waiting: shown(waiting) });
    } else {
      if (options.all === true)
        print([`${configFile} would`, ...shownParts(parts, { trusted: {} }).map(indent), '']);
      if (waiting.length === 0) return print([nothingWaits(configFile, parts.length)]);
      print([`Not trusted yet in ${configFile}:`, ...shownParts(waiting, record).map(indent), '']);
    }
    if (waiting.length === 0) return 0;
    if (options.yes !== true && !process.stdin.isTTY) {
      return fail(
        'nothing is trusted yet; on a terminal `nexus trust` asks, and `nexus trust --yes` does not',
      );
    }
    if (options.yes !== true && !(await confirm('Let it?'))) return fail('nothing is trusted');
    trustParts(configFile, waiting, parts);
    await tellServer();
    if (options.json !== true) print([`Trusted, until one of these parts changes.`]);
    return 0;
  },
};

function nothingWaits(configFile: string, count: number): string {
  return count === 0
    ? `${configFile} runs, loads and sends nothing that would need trust, or is trusted as a whole.`
    : `All that ${configFile} runs, loads and sends is trusted; --all shows it.`;
}

function indent(line: string): string {
  return `  ${line}`;
}
