import { describe, expect, it } from 'vitest';
import { annotationTaxonomy } from '../annotation-taxonomy.ts';
import { fixtureSubject, fixtureTool } from '../fixture-subject.ts';
import { toolAnnotations } from './tool-annotations.ts';

const readOnly = fixtureTool().annotations;
const check = (changes: Parameters<typeof fixtureTool>[0]) =>
  toolAnnotations.run(fixtureSubject({ tools: [fixtureTool(changes)] }));

describe('tool-annotations', () => {
  it('finds nothing in a tool with sound hints of its own', () => {
    expect(check({})).toEqual([]);
  });

  it('finds nothing in a tool of the taxonomy that keeps its hints', () => {
    expect(check({ name: 'search_codebase' })).toEqual([]);
  });

  it('finds a hint that differs from the taxonomy', () => {
    const found = check({ name: 'search_codebase', annotations: { ...readOnly, openWorldHint: true } });
    expect(found).toMatchObject([
      { where: 'words: search_codebase', fix: expect.stringContaining('openWorldHint: false') },
    ]);
  });

  it('finds hints that contradict each other', () => {
    expect(check({ annotations: { ...readOnly, destructiveHint: true } })).toHaveLength(1);
  });

  it('does not pass when there is no tool', () => {
    expect(toolAnnotations.run(fixtureSubject({ tools: [] }))).toMatchObject([
      { what: 'looked at no tools' },
    ]);
  });
});

describe('the taxonomy', () => {
  it('has 38 tools, none of them destructive', () => {
    expect(annotationTaxonomy.size).toBe(38);
    expect([...annotationTaxonomy.values()].filter((hints) => hints.destructiveHint)).toEqual([]);
  });

  it('has every read-only tool idempotent', () => {
    const readers = [...annotationTaxonomy.values()].filter((hints) => hints.readOnlyHint);
    expect(readers.every((hints) => hints.idempotentHint)).toBe(true);
    expect(readers).toHaveLength(21);
  });
});
