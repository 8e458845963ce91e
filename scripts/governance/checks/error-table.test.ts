import { errorTable } from '@nexus/core';
import { describe, expect, it } from 'vitest';
import { fixtureSubject } from '../fixture-subject.ts';
import { errorTableParity } from './error-table.ts';

const throwing = (code: string) => `throw new ToolError('${code}', 'what happened');`;
const everyCode = Object.keys(errorTable).map(throwing).join('\n');
const check = (files: Record<string, string>) => errorTableParity.run(fixtureSubject({ files }));
const used = { 'packages/plugins/words/src/count.ts': everyCode };

describe('error-table', () => {
  it('finds nothing where each code of the table is thrown, and no other', () => {
    expect(check(used)).toEqual([]);
  });

  it('finds a thrown code that the table lacks, and names the nearest', () => {
    const found = check({ ...used, 'packages/store/src/open.ts': `\n${throwing('NEXUS_NOT_FOUNT')}` });
    expect(found).toMatchObject([
      { where: 'packages/store/src/open.ts:2', fix: expect.stringContaining('NEXUS_NOT_FOUND') },
    ]);
  });

  it('finds it where the arguments stand on lines of their own', () => {
    const text = "throw new ToolError(\n  'NEXUS_NO_SUCH_CODE',\n  'what happened',\n);";
    expect(check({ ...used, 'packages/store/src/open.ts': text })).toHaveLength(1);
  });

  it('finds a code of the table that nothing uses', () => {
    const [first = ''] = Object.keys(errorTable);
    const rest = everyCode.replace(throwing(first), '');
    expect(check({ 'packages/plugins/words/src/count.ts': rest })).toMatchObject([
      { what: `${first} is in the table and nowhere used` },
    ]);
  });

  it('does not count the table itself, nor tests, as a use', () => {
    const found = check({
      'packages/core/src/errors/table.ts': everyCode,
      'packages/store/src/a.test.ts': everyCode,
      'packages/store/src/open.ts': throwing('NEXUS_TIMEOUT'),
    });
    expect(found).toHaveLength(Object.keys(errorTable).length - 1);
  });

  it('finds a tool error made by hand', () => {
    const found = check({ ...used, 'apps/nexus/src/call.ts': 'return { content: [], isError: true };' });
    expect(found).toMatchObject([
      { where: 'apps/nexus/src/call.ts:1', fix: expect.stringContaining('ToolError') },
    ]);
  });

  it('leaves alone a comment that speaks of one', () => {
    expect(check({ ...used, 'packages/plugin-sdk/src/a.ts': '/** Leaves with `isError: true`. */' })).toEqual(
      [],
    );
  });

  it('lets the envelope and the pass-through of other servers make one', () => {
    const found = check({
      ...used,
      'packages/core/src/errors/envelope.ts': 'isError: true',
      'packages/downstream/src/call.ts': 'isError: true',
    });
    expect(found).toEqual([]);
  });

  it('does not pass when no code is thrown', () => {
    expect(check({})).toMatchObject([{ what: 'looked at no thrown error codes' }]);
  });
});
