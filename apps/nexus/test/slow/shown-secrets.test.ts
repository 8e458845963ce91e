import { fakeServer } from '@nexus/testing';
import { expect, vi } from 'vitest';
import { bin } from '../harness/app.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { shareProject } from '../harness/shared-project.ts';
import { slowlyVerifiesApp } from '../harness/verifies.ts';

/** By its form, wherever it stands. */
const TOKEN = `ghp_${'k3Q9z7Lw2Xv8Bn4Mt6Rp'.repeat(2).slice(0, 36)}`;
/** Without a form: only the environment of who runs the command gives it away. */
const OWN = 'walrus-umbrella-4711';
const SAYING = `cannot log in with ${TOKEN} and ${OWN}`;

const toolboxes = {
  box: {
    mcpServers: {
      dies: fakeServer({ exitCode: 3, stderr: SAYING }),
      tells: fakeServer({
        instructions: SAYING,
        hostileTools: [{ name: 'leak', description: SAYING, inputSchema: { type: 'object' } }],
      }),
    },
  },
};

const COMMANDS = [
  ['toolbox', 'test'],
  ['toolbox', 'open', 'box'],
  ['toolbox', 'list'],
  ['find', 'leak', 'log', 'in'],
  ['tools'],
  ['tools', 'box__tells__leak'],
  ['pins'],
  ['status'],
  ['doctor', '--connect'],
  ['config'],
] as const;

slowlyVerifiesApp(
  'command.toolbox',
  'shows no secret that a server says, on the terminal or as JSON',
  async () => {
    await using project = await shareProject({ config: { toolboxes }, env: { CRM_API_TOKEN: OWN } });
    const server = project.start({ command: process.execPath, args: [bin, 'serve'] });
    await vi.waitFor(() => expect(server.stderr()).toMatch(/^Nexus serves \d+ tools/), { timeout: 20_000 });
    let masked = 0;
    for (const command of COMMANDS) {
      for (const json of [[], ['--json']]) {
        const { stdout, stderr } = await runNexus(project, [...command, ...json]);
        const shown = `${stdout}\n${stderr}`;
        expect({ command, json, shown }).not.toMatchObject({ shown: expect.stringContaining(TOKEN) });
        expect({ command, json, shown }).not.toMatchObject({ shown: expect.stringContaining(OWN) });
        if (json.length > 0 && command[0] !== 'toolbox') expect(() => JSON.parse(stdout)).not.toThrow();
        if (shown.includes('cannot log in with ***')) masked += 1;
      }
    }
    // Else nothing was said that could have been shown.
    expect(masked).toBeGreaterThan(4);
    expect(server.stderr()).not.toContain(TOKEN);
    expect(server.stderr()).not.toContain(OWN);
  },
);
