import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checks } from './checks.ts';
import { selectChecks } from './select-checks.ts';

describe('selectChecks', () => {
  it('selects every check when none is named', () => {
    expect(selectChecks(checks, [])).toEqual(checks);
  });

  it('takes a name with and without check: before it', () => {
    const names = selectChecks(checks, ['check:tool-annotations', 'layers']).map(({ name }) => name);
    expect(names).toEqual(['layers', 'tool-annotations']);
  });

  it('names the nearest check when there is none of that name', () => {
    expect(() => selectChecks(checks, ['tool-anotations'])).toThrow('Did you mean "tool-annotations"?');
  });
});

describe('checks', () => {
  it('have a name each', () => {
    expect(new Set(checks.map(({ name }) => name)).size).toBe(checks.length);
  });

  it('stand on the page that says what each holds, and no other does', () => {
    const page = readFileSync(new URL('../../docs/governance.md', import.meta.url), 'utf8');
    const named = [...page.matchAll(/^\| `check:([a-z-]+)` \| /gm)].map(([, name]) => name);
    expect(named.sort()).toEqual(checks.map(({ name }) => name).sort());
  });
});
