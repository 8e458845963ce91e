import { expect } from 'vitest';
import { bundleFixture } from '../harness/bundle-fixture.ts';
import { makeProject } from '../harness/project.ts';
import { verifiesAnew } from '../harness/verifies.ts';

const KINDS = ['big', 'cycle', 'throwing'] as const;

verifiesAnew(
  'answers.always',
  'answers where a result can’t be written as JSON, and goes on',
  async (way) => {
    await using project = await makeProject({ config: { plugins: ['./unwritable-plugin.mjs'] } });
    await bundleFixture('unwritable-plugin', project.path('unwritable-plugin.mjs'));
    await using server = await way.open(project);
    for (const kind of KINDS) {
      const answers = [
        await server.session.call(`unwritable_${kind}`),
        await server.session.ask('prompts/get', { name: `unwritable-${kind}` }),
        await server.session.ask('resources/read', { uri: `nexus://unwritable/${kind}` }),
      ];
      for (const { result, error } of answers) {
        expect({ kind, isFault: error !== undefined || result.isError === true }).toEqual({
          kind,
          isFault: true,
        });
        expect(JSON.stringify(result ?? error)).not.toContain('not to be written');
      }
    }
    expect((await server.session.ask('ping')).result).toEqual({});
  },
);
