import type { CallContext } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import { addressOf } from './tool-address.ts';

const own = { toolbox: 'nexus', server: 'nexus', tool: 'read_file', registeredName: 'read_file' };
const short = { toolbox: 'dev', server: 'fs', tool: 'read_file', registeredName: 'fs_read' };

function find(
  tool: string,
  named: { toolbox?: string; server?: string } = {},
  tools: readonly object[] = [own, short],
  heldBack: readonly object[] = [],
) {
  const context = {
    host: { toolboxes: { catalogue: async () => ({ tools, heldBack }) } },
    tools: { find: (name: string) => (name === own.tool ? {} : undefined) },
  };
  return addressOf(
    { toolbox: undefined, server: undefined, ...named, tool },
    context as unknown as CallContext,
  );
}

it('finds a tool under all three of its names, though it is called by less', async () => {
  expect(await find('nexus__nexus__read_file')).toBe(own);
  expect(await find('nexus__nexus__read_file', { toolbox: 'nexus' })).toBe(own);
  expect(await find('dev__fs__read_file')).toBe(short);
});

it('finds a tool under the name that it is called by, whoever else has a tool of that name', async () => {
  expect(await find('read_file')).toBe(own);
  expect(await find('fs_read')).toBe(short);
  await expect(find('read_fil')).rejects.toThrow('Did you mean read_file or fs_read?');
});

it('finds a tool of Nexus itself where the catalogue leaves those out, whoever else has one of that name', async () => {
  const meant = { toolbox: 'nexus', server: 'nexus', tool: 'read_file' };
  expect(await find('read_file', {}, [])).toEqual(meant);
  expect(await find('read_file', {}, [short])).toEqual(meant);
  expect(await find('read_file', { server: 'fs' }, [short])).toBe(short);
});

it('finds a tool that is held back, so that whoever reaches for it is told why', async () => {
  const tools = [{ tool: 'write_file', name: 'write_file', names: ['fs_write', 'dev__fs__write_file'] }];
  const held = [{ toolbox: 'dev', server: 'fs', tools }];
  for (const [tool, named] of [
    ['write_file', {}],
    ['dev__fs__write_file', {}],
    ['fs_write', {}],
    ['write_file', { server: 'fs' }],
  ] as const) {
    const address = { toolbox: 'dev', server: 'fs', tool: 'write_file' };
    expect(await find(tool, named, undefined, held)).toMatchObject(address);
  }
  await expect(find('write_files', {}, undefined, held)).rejects.toThrow('is known to have a tool');
});

describe('a name that a tool which is held back has, too', () => {
  const vault = { toolbox: 'bank', server: 'vault', tool: 'charge', registeredName: 'bank__vault__charge' };
  const till = (tool: string, name = tool) => [
    { toolbox: 'bank', server: 'till', tools: [{ tool, name, names: [`bank__till__${name}`] }] },
  ];

  it('stands for several as before, and says which is held back', async () => {
    await expect(find('charge', {}, [vault], till('charge'))).rejects.toThrow(
      'Several servers have a tool charge. Give one of these as `tool`: bank__vault__charge, bank__till__charge (held back: `nexus pins` shows why).',
    );
    expect(await find('charge', { server: 'vault' }, [vault], till('charge'))).toBe(vault);
    expect(await find('bank__vault__charge', {}, [vault], till('charge'))).toBe(vault);
    await expect(find('charg', {}, [vault], till('charges'))).rejects.toThrow(
      'Did you mean bank__vault__charge?',
    );
  });

  it('stands for the one that can be called where the config renames the other', async () => {
    expect(await find('charge', {}, [vault], till('charge', 'pay'))).toBe(vault);
    const pay = { toolbox: 'bank', server: 'till', tool: 'pay' };
    expect(await find('pay', {}, [vault], till('charge', 'pay'))).toMatchObject(pay);
    const sold = { ...vault, tool: 'sell' };
    expect(await find('charge', {}, [sold], till('charge', 'pay'))).toMatchObject(pay);
  });

  it('is told in a form that is one place’s own, where several are called by the same name', async () => {
    const bare = { ...vault, registeredName: 'charge' };
    const other = { ...bare, toolbox: 'shop' };
    await expect(find('charge', {}, [bare, other])).rejects.toThrow(
      'Give one of these as `tool`: bank__vault__charge, shop__vault__charge.',
    );
  });
});
