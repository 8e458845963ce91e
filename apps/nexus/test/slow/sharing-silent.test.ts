import { writeFileSync } from 'node:fs';
import { fakeServer } from '@nexus/testing';
import { expect } from 'vitest';
import { shareProject } from '../harness/shared-project.ts';
import { openToolbox } from '../harness/toolboxes.ts';
import { slowlyVerifiesApp } from '../harness/verifies.ts';

slowlyVerifiesApp(
  'sharing.carries',
  'lets a host through though a server has become silent meanwhile',
  async () => {
    await using project = await shareProject({ config: {} });
    const hangFile = project.path('silent');
    const it = fakeServer({ resources: true, hang: 'resources/subscribe', hangFile });
    const toolboxes = { box: { description: 'Becomes silent.', mcpServers: { it } } };
    writeFileSync(project.path('nexus.config.json'), JSON.stringify({ toolboxes }));
    const owner = await project.host();
    const { session } = await project.host();
    await openToolbox(session, 'box');
    expect((await session.ask('resources/subscribe', { uri: 'fake://a' })).error).toBeUndefined();
    writeFileSync(hangFile, '');
    owner.child.kill('SIGKILL');
    await owner.exit();
    expect((await session.ask('ping')).error).toBeUndefined();
    const { result } = await session.call('box__it__echo', { text: 'after' });
    expect(JSON.stringify(result)).toContain('after');
  },
);
