import { existsSync, rmSync } from 'node:fs';
import type { EndpointScript } from '@nexus/testing';
import { expect } from 'vitest';
import { chatOnTerminal, startChat } from '../harness/chat.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { startServer } from '../harness/server-process.ts';
import { openTerminal } from '../harness/terminal.ts';
import { verifiesApp } from '../harness/verifies.ts';

verifiesApp('command.uninstall', 'ends a chat that began beside a server, and names it before', async () => {
  await using under = await startChat([{ text: 'Hello.' }, { text: 'Never asked.' }]);
  const { project, endpoint } = under;
  await using server = startServer(project);
  await server.session.initialize();
  const chat = chatOnTerminal(project, []);
  await chat.shows(/tools of nexus/);
  const running = async () =>
    (JSON.parse((await runNexus(project, ['uninstall', '--dry-run', '--json'])).stdout) as { running: [] })
      .running;
  expect(await running()).toHaveLength(2);
  await runNexus(project, ['stop']);
  await server.exit();
  await chat.say('Hi.', /Hello\.[\s\S]*so far/);
  expect(await running()).toHaveLength(1);
  const gone = await runNexus(project, ['uninstall', '--yes']);
  expect(gone, gone.stderr).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/Process \d+ has ended/),
  });
  await chat.shows(/state of this project is being taken away/);
  expect(await chat.exited).toBe(0);
  expect(existsSync(project.path(project.dataDir, 'chat'))).toBe(false);
  expect(endpoint.requests).toHaveLength(1);
});

verifiesApp('command.uninstall', 'ends a list that is kept up to date on a terminal', async () => {
  await using under = await startChat([]);
  const { project } = under;
  const views = [['tasks'], ['runs', '--watch']].map((args) => openTerminal(project, args));
  for (const view of views) await view.shows('Ctrl-C ends');
  const gone = await runNexus(project, ['uninstall', '--yes']);
  expect(gone, gone.stderr).toMatchObject({ exitCode: 0 });
  expect(gone.stdout.match(/Process \d+ has ended/g)).toHaveLength(2);
  for (const view of views) expect(await view.exited).toBe(0);
});

verifiesApp('chat.histories', 'asks no model in a conversation whose file is gone', async () => {
  await using under = await startChat([{ text: 'Hello.' }, { text: 'Lost.' }]);
  const { project, endpoint } = under;
  const chat = chatOnTerminal(project, []);
  await chat.shows(/tools of nexus/);
  await chat.say('Hi.', /Hello\.[\s\S]*so far/);
  rmSync(`${project.dataDir}/chat`, { recursive: true });
  await chat.say('Again.', /file of this conversation is gone/);
  expect(endpoint.requests).toHaveLength(1);
  await chat.say('/quit', /\n/);
  expect(await chat.exited).toBe(0);
  expect(chat.screen()).not.toContain('goes on with it');
});

verifiesApp('chat.histories', 'shows a summary on stderr, and counts what it cost', async () => {
  const script: EndpointScript = ({ body }) => ({
    text: JSON.stringify(body).includes('You summarise a conversation') ? 'They counted.' : 'Yes.',
  });
  await using under = await startChat(script);
  const ask = (...more: string[]) => runNexus(under.project, ['chat', 'Next.', ...more]);
  await ask();
  for (let n = 2; n <= 5; n += 1) await ask('--continue');
  const { stdout, stderr } = await ask('--continue', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ text: 'Yes.', calls: 2 });
  expect(stderr).toContain('earlier exchanges are summarised from here on: They counted.');
});
