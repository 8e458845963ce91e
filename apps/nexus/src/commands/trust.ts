import { realpathSync } from 'node:fs';
import { tellServer } from '../client/tell-server.ts';
import { ConfigError } from '../config/config-fault.ts';
import { loadConfig } from '../loaded-config/load-config.ts';
import { claimsOf } from '../project/claim.ts';
import { confirm } from '../terminal/confirm.ts';
import { fail, print, printJsonWhole, printWhole, warn } from '../terminal/output.ts';
import { instructionsPart } from '../trust/instructions-part.ts';
import type { Part } from '../trust/part.ts';
import { isClaim } from '../trust/project-part.ts';
import { readJudged } from '../trust/read-judged.ts';
import { scheduleParts } from '../trust/schedule-part.ts';
import { shownParts } from '../trust/shown-parts.ts';
import { revokeTrust, trustedBefore, trustParts, untrusted } from '../trust/trust-record.ts';
import { type Command, jsonOption } from './command.ts';

export const trust: Command = {
  usage: 'trust',
  summary: 'show what the project would run, load, send, reach and tell models to do, and allow it',
  options: [
    { flags: '--yes', description: 'trust it without a question' },
    { flags: '--all', description: 'also show what is trusted already, and each file of packages' },
    { flags: '--revoke', description: 'take back all trust in this project' },
    jsonOption,
  ],
  examples: ['trust', 'trust --all', 'trust --yes', 'trust --revoke'],
  async run(_args, options) {
    const { configFile, projectRoot, refused, ...judged } = await readJudged(undefined);
    const told = await instructionsPart(projectRoot);
    const instructions = told === undefined ? [] : [told];
    const parts = [...judged.parts, ...instructions];
    const waiting = [...judged.waiting, ...untrusted(instructions)];
    const asShown = (list: readonly Part[]) =>
      options.all === true
        ? list.map(({ wholeLines, ...part }) => ({ ...part, lines: wholeLines ?? part.lines }))
        : list;
    for (const reason of refused) warn(reason);
    const file = configFile === undefined ? [] : [realpathSync(configFile)];
    const places = [
      ...file,
      ...claimsOf(projectRoot).map(({ place }) => place),
      ...scheduleParts(projectRoot).map(({ place }) => place),
      ...instructions.map(({ place }) => place),
    ];
    if (places.length === 0)
      return print(['There is no config here, and no instructions, so nothing to trust.']);
    if (options.revoke === true) {
      for (const place of places) revokeTrust(place);
      await tellServer();
      return print([`Nothing of ${configFile ?? projectRoot} is trusted any more.`]);
    }
    if (options.json === true) {
      const shown = (list: typeof parts) => asShown(list).map(({ name, lines }) => ({ name, lines }));
      printJsonWhole({
        configFile: configFile ?? null,
        projectRoot,
        parts: shown(parts),
        waiting: shown(waiting),
      });
    } else {
      if (options.all === true)
        printWhole([`All of ${projectRoot}:`, ...shownParts(asShown(parts), {}).map(indent), '']);
      if (waiting.length === 0) return print([nothingWaits(configFile ?? projectRoot, parts.length)]);
      printWhole([
        `Not trusted yet in ${projectRoot}:`,
        ...shownParts(asShown(waiting), options.all === true ? {} : trustedBefore(waiting)).map(indent),
        '',
      ]);
    }
    if (waiting.length === 0) return 0;
    const fault = await faultsOnceTrusted();
    if (fault !== undefined) warn(`Nexus will not start once this is trusted: ${fault}`);
    if (options.yes !== true && !process.stdin.isTTY) {
      return fail(
        'nothing is trusted yet; on a terminal `nexus trust` asks, and `nexus trust --yes` does not',
      );
    }
    if (options.yes !== true && !(await confirm('Do you trust this?'))) return fail('nothing is trusted');
    trustParts(waiting, parts);
    await tellServer();
    if (options.json === true) return 0;
    return print([
      'Trusted, until one of these parts changes.',
      ...(waiting.some(isClaim)
        ? ['A server that runs keeps the rows it has; `nexus stop` ends it, and the next has the project’s.']
        : []),
    ]);
  },
};

/** Told before the question: who says yes should not find a server that does not start. */
async function faultsOnceTrusted(): Promise<string | undefined> {
  try {
    return (await loadConfig()).faultsOnceTrusted;
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

function nothingWaits(what: string, count: number): string {
  return count === 0
    ? `${what} runs, loads and sends nothing that would need trust, or is trusted as a whole.`
    : `All that ${what} runs, loads and sends is trusted; --all shows it.`;
}

function indent(line: string): string {
  return `  ${line}`;
}
