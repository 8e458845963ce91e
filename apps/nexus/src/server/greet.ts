import { fileURLToPath } from 'node:url';
import { appDir, version } from '../version.ts';
import { commandOnThisMachine, hostConfig } from './host-config.ts';

/**
 * On a terminal there is no host: say what this is and how a host would start it.
 * @param what this process does
 */
export function greet(what: string, configFile: string | undefined): void {
  if (!process.stdin.isTTY) return;
  const bin = fileURLToPath(new URL('bin/nexus.js', appDir));
  const lines = [
    `Nexus ${version}: ${what}`,
    `Config: ${configFile ?? 'none found, defaults hold (`nexus init` writes one)'}`,
    'It speaks MCP on stdin and stdout, so a host starts it. Paste this into the host’s MCP config:',
    '',
    JSON.stringify(hostConfig(commandOnThisMachine(process.execPath, bin)), null, 2),
    '',
    'Other hosts: `nexus init`. Check everything: `nexus doctor`. End with Ctrl-C.',
    '',
  ];
  process.stderr.write(lines.join('\n'));
}
