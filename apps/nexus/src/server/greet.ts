import { fileURLToPath } from 'node:url';
import { shown } from '../terminal/shown.ts';
import { appDir, version } from '../version.ts';
import { commandOnThisMachine, hostConfig } from './host-config.ts';

/**
 * On a terminal there is no host: say what this is and how a host would start it.
 * @param what this process does
 */
export function greet(what: string, configFile: string | undefined): void {
  if (!process.stdin.isTTY) return;
  const bin = fileURLToPath(new URL('bin/nexus.js', appDir));
  const say = (...lines: readonly string[]) =>
    void process.stderr.write(shown(lines.map((line) => `${line}\n`).join(''), process.stderr));
  say(
    `Nexus ${version}: ${what}`,
    `Config: ${configFile ?? 'none found, defaults hold (`nexus init` writes one)'}`,
    'It speaks MCP on stdin and stdout, so a host starts it. Paste this into the host’s MCP config:',
    '',
  );
  // To be pasted: no line of it is broken.
  const config = hostConfig(commandOnThisMachine(process.execPath, bin));
  process.stderr.write(`${JSON.stringify(config, null, 2)}\n`);
  say('', 'Other hosts: `nexus init`. Check everything: `nexus doctor`. End with Ctrl-C.');
}
