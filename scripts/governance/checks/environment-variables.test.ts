import { describe, expect, it } from 'vitest';
import { fixtureSubject } from '../fixture-subject.ts';
import { environment } from '../pages/environment.ts';
import { environmentVariables } from './environment-variables.ts';

const reads = Object.keys(environment).map((name) => `env.${name};`);
const check = (text: string) =>
  environmentVariables.run(fixtureSubject({ files: { 'apps/nexus/src/config/load.ts': text } }));

describe('environment-variables', () => {
  it('finds nothing where each variable that is read is documented, and no other', () => {
    expect(check(reads.join('\n'))).toEqual([]);
  });

  it('finds a variable that no page names', () => {
    expect(check([...reads, 'process.env.NEXUS_SECRET_KNOB'].join('\n'))).toMatchObject([
      {
        where: `apps/nexus/src/config/load.ts:${reads.length + 1}`,
        what: expect.stringContaining('SECRET_KNOB'),
      },
    ]);
  });

  it('finds a documented variable that nothing reads', () => {
    expect(check(reads.slice(1).join('\n'))).toMatchObject([{ fix: 'remove it' }]);
  });

  it('does not pass when nothing reads the environment', () => {
    expect(check('')).toMatchObject([{ what: 'looked at no reads of the environment' }]);
  });
});
