import { describe, expect, it } from 'vitest';
import { fixtureSubject } from '../fixture-subject.ts';
import { runsOfTools } from './runs-of-tools.ts';

const check = (file: string, text: string) =>
  runsOfTools.run(fixtureSubject({ files: { 'packages/plugins/a/src/index.ts': '', [file]: text } }));

describe('runs-of-tools', () => {
  it.each([
    ['packages/plugins/a/src/b.ts', '\nawait host.runs.get(id); // host.runs.start(kind)'],
    ['packages/plugins/a/src/b.test.ts', '\nawait plugin.host.runs.takeUp(id);'],
    ['packages/engine/src/b.ts', '\nawait runs.start(kind, input);'],
  ])('finds nothing in %s: %j', (file, text) => {
    expect(check(file, text)).toEqual([]);
  });

  it.each([
    ['call.host.runs.start(kind, input)', 'runs.start('],
    ['runs\n  .rerun(id, { from })', 'runs.rerun('],
    ['host.runs.takeUp(id)', 'runs.takeUp('],
  ])('finds %j in a plugin', (text, what) => {
    expect(check('packages/plugins/a/src/b.ts', `\nawait ${text};`)).toMatchObject([
      { where: 'packages/plugins/a/src/b.ts:2', what: expect.stringContaining(what) },
    ]);
  });

  it('does not pass when there is nothing to look at', () => {
    expect(runsOfTools.run(fixtureSubject())).toMatchObject([{ what: 'looked at no files' }]);
  });
});
