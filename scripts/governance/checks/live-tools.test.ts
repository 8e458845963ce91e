import { describe, expect, it } from 'vitest';
import { readWay, type WayReading } from '../lock.ts';
import { memory } from '../ways-in/memory.ts';
import type { WayIn } from '../ways-in/way-in.ts';
import { compareReadings } from './live-tools.ts';

const search = { name: 'search', description: 'Finds text.', inputSchema: { type: 'object' } };
const NOTHING_ELSE = { resources: {}, resourceTemplates: {}, prompts: {} };
const locked = { ...NOTHING_ELSE, tools: { search }, budgets: { search: 'interactive' } } as const;
const reading = (way: string, changes: Partial<WayReading['lock']> = {}): WayReading => ({
  way,
  lock: { ...NOTHING_ELSE, tools: { search }, ...changes },
  faults: [],
});

describe('live-tools', () => {
  it('finds nothing where every way serves the lock', () => {
    const readings = [reading('memory', { budgets: locked.budgets }), reading('stdio')];
    expect(compareReadings(locked, readings)).toEqual([]);
  });

  it('names the way, the tool and the field that drifted', () => {
    const drifted = { search: { ...search, description: 'Finds words.' } };
    expect(compareReadings(locked, [reading('memory'), reading('stdio', { tools: drifted })])).toMatchObject([
      {
        where: 'stdio',
        what: 'tool search: description: "Finds text." -> "Finds words."',
        fix: expect.stringContaining('pnpm build'),
      },
    ]);
  });

  it('asks for an update of the lock where the source itself drifted', () => {
    const drifted = { search: { ...search, description: 'Finds words.' } };
    const found = compareReadings(locked, [reading('memory', { tools: drifted })]);
    expect(found).toMatchObject([{ where: 'memory', fix: expect.stringContaining('governance update') }]);
  });

  it('finds a tool that a way does not serve', () => {
    const two = { ...locked, tools: { search, find: search } };
    expect(compareReadings(two, [reading('memory')])).toMatchObject([{ what: 'tool find: removed' }]);
  });

  it('finds a changed budget where budgets can be seen', () => {
    const found = compareReadings(locked, [reading('memory', { budgets: { search: 'network' } })]);
    expect(found).toMatchObject([{ what: 'budget search: "interactive" -> "network"' }]);
  });

  it('finds keys in another order than by the first way', () => {
    const { name, ...rest } = search;
    const turned = reading('stdio', { tools: { search: { ...rest, name } } });
    expect(compareReadings(locked, [reading('memory'), turned])).toMatchObject([
      { where: 'stdio', what: expect.stringContaining('another order') },
    ]);
  });

  it('finds an entry that could not be taken', () => {
    const faulty = { ...reading('stdio'), faults: ['tools[1] has no name; left out'] };
    expect(compareReadings(locked, [faulty])).toMatchObject([{ what: 'tools[1] has no name; left out' }]);
  });

  it('does not pass when no tool is served', () => {
    expect(compareReadings(locked, [reading('memory', { tools: {} })])).toMatchObject([
      { what: 'looked at no served tools' },
    ]);
    expect(compareReadings(locked, [])).toMatchObject([{ what: 'looked at no served tools' }]);
  });
});

describe('readWay', () => {
  it('reads the real server in memory, with budgets', async () => {
    const { lock, faults } = await readWay(memory);
    expect(faults).toEqual([]);
    expect(Object.keys(lock.tools).length).toBeGreaterThan(0);
    expect(Object.keys(lock.budgets ?? {})).toEqual(Object.keys(lock.tools));
  });

  it('closes the way even when reading fails', async () => {
    let isClosed = false;
    const broken: WayIn = {
      name: 'broken',
      open: async () => ({
        send: async () => {
          throw new Error('it broke');
        },
        async [Symbol.asyncDispose]() {
          isClosed = true;
        },
      }),
    };
    await expect(readWay(broken)).rejects.toThrow('it broke');
    expect(isClosed).toBe(true);
  });
});
