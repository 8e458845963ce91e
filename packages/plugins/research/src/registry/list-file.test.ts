import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { anyCharacter } from '../../../../../vitest.characters.ts';
import { openList } from './list-file.ts';

const BY_HAND = `# Papers of the roof team.
# Ask Ben before you take one out.

papers:
  # The classic; everything else cites it.
  - title: "Roofs: a survey" # quoted, since it has a colon
    id: arxiv:2101.10000
    priority: P1
    notes: |
      Read twice.
      Section 4 is wrong.
    owner: ben # not one of Nexus's own members

  # Kept for its data only.
  - id: 'doi:10.1000/ROOF'
    ids: [ arxiv:hep-th/9901001 ]
    title: Roof data
    date: 2021

reviewed: 2026-05-01
`;

describe('a file of the registry', () => {
  it('keeps comments, order and what it does not know when something is added, changed or taken out', () => {
    const added = openList('papers', BY_HAND, 'papers.yaml');
    added.add({ id: 'arxiv:2103.00001', title: 'New' });
    expect(added.toString()).toBe(
      BY_HAND.replace(
        '    date: 2021\n',
        '    date: 2021\n\n  - id: arxiv:2103.00001\n    title: New\n'.replace('\n\n', '\n'),
      ),
    );
    const changed = openList('papers', BY_HAND, 'papers.yaml');
    changed.set(0, 'priority', 'P2');
    expect(changed.toString()).toBe(BY_HAND.replace('priority: P1', 'priority: P2'));
    const removed = openList('papers', BY_HAND, 'papers.yaml');
    removed.remove(1);
    expect(removed.toString()).toContain('# The classic; everything else cites it.');
    expect(removed.toString()).toContain('reviewed: 2026-05-01');
    expect(removed.toString()).not.toContain('10.1000');
  });

  it.each([
    ['lists that are not indented', BY_HAND.replace(/^ {2}/gm, '')],
    ['the ends of lines of Windows', BY_HAND.replaceAll('\n', '\r\n')],
  ])('keeps %s', (_, text) => {
    const list = openList('papers', text, 'papers.yaml');
    const before = list.toString();
    list.add({ id: 'arxiv:2103.00001', title: 'New' });
    const lines = list.toString().split('\n');
    expect(before.split('\n').filter((line) => !lines.includes(line))).toEqual([]);
    expect(before).toBe(text);
  });

  it('reads ids as they are written, and not as numbers', () => {
    const { entries } = openList('papers', BY_HAND, 'papers.yaml');
    expect(entries.map(({ id, ids }) => [id, ids])).toEqual([
      ['arxiv:2101.10000', []],
      ['doi:10.1000/roof', ['arxiv:hep-th/9901001']],
    ]);
    const bare = openList('papers', 'papers:\n  - id: 2101.10000\n    title: 1984\n', 'papers.yaml');
    expect(bare.entries[0]).toMatchObject({ id: 'arxiv:2101.10000', title: '1984' });
  });

  it.each([
    ['a value that may not be', 'priority: P1', 'priority: P9', /^papers\.yaml:8:15: priority: .*"P1"/m],
    ['an id that is none', 'arxiv:2101.10000', 'roofs', /^papers\.yaml:7:9: id: is no id of a work/m],
    ['a member that is missing', '    title: Roof data\n', '', /^papers\.yaml:15:5: title is missing/m],
    ['a line that is no YAML', '    date: 2021', '   date: "2021', /^papers\.yaml:\d+:\d+: /m],
    [
      'a second entry for one thing',
      'hep-th/9901001',
      '2101.10000',
      /^papers\.yaml:15:5: arxiv:2101\.10000 has an entry already, at papers\.yaml:6:5/m,
    ],
    ['a reference to another part', 'title: Roof data', 'title: *a', /^papers\.yaml:17:12: /m],
    [
      'what git left of a conflict',
      '    date: 2021',
      '<<<<<<< HEAD\n    date: 2021\n=======',
      /^papers\.yaml:\d+:\d+: git has left a conflict/m,
    ],
    ['what is nested without end', BY_HAND, '['.repeat(20_000), /^papers\.yaml:1:\d+: is nested too deep/m],
    ['a list that is none', BY_HAND, 'papers: none\n', /^papers\.yaml:1:9: "papers" must be a list/m],
    [
      'a file that is a list',
      BY_HAND,
      '- id: arxiv:2101.10000\n',
      /^papers\.yaml:1:1: the file must hold "papers:"/m,
    ],
  ])('names %s with its place', (_, what, instead, fault) => {
    const open = () => openList('papers', BY_HAND.replace(what, instead), 'papers.yaml');
    expect(open).toThrow(fault);
    expect(open).toThrow(expect.objectContaining({ code: 'NEXUS_FILE_UNREADABLE' }));
  });

  it('gives back every text that it was given', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: anyCharacter, maxLength: 60 }), { maxLength: 3 }), (texts) => {
        const list = openList('papers', BY_HAND, 'papers.yaml');
        const evidence = texts.map((text) => ({
          kind: 'quote',
          text: `a${text.replace(/[\ud800-\udfff]/g, '')}`,
        }));
        list.add({ id: 'arxiv:2103.00001', title: 'New', evidence });
        const { papers } = parse(list.toString());
        expect(papers[2].evidence).toEqual(evidence);
      }),
      { numRuns: 300 },
    );
  });

  it('begins with a word on what it is', () => {
    const list = openList('techniques', '', 'techniques.yaml');
    list.add({ id: 'green-roof', name: 'Green roof' });
    expect(list.toString()).toMatch(
      /^# Ways of doing things.*\ntechniques:\n {2}- id: green-roof\n {4}name: Green roof\n$/s,
    );
  });
});
