import { exampleArguments } from '@nexus/core';
import { loadPatterns } from '@nexus/untrusted/patterns';
import { describe, expect, it } from 'vitest';
import { realCatalogues } from '../../test/real-catalogues.ts';
import { schemaCheck } from '../schema/schema-check.ts';
import { readTools } from './read-definitions.ts';
import { registeredNames } from './registered-names.ts';

const patterns = await loadPatterns();

const catalogues = realCatalogues();

describe.runIf(catalogues !== undefined)('the tools of real servers', () => {
  const servers = Object.entries(catalogues ?? {});

  it('are sound, every one', () => {
    for (const [, tools] of servers)
      expect(readTools(tools)).toEqual({ definitions: tools, faults: [], leftOut: 0 });
  });

  it('have names that are safe for hosts, each its own, whatever order they are listed in', () => {
    const origins = servers.flatMap(([server, tools]) => tools.map(({ name }) => ({ server, name })));
    const { names } = registeredNames({ name: 'toolbox', prefix: true }, origins);
    const again = registeredNames({ name: 'toolbox', prefix: true }, [...origins].reverse()).names;
    const registered = origins.map((origin) => names.get(origin)?.registered ?? '');
    expect(registered.filter((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name))).toEqual([]);
    expect(new Set(registered).size).toBe(origins.length);
    expect(origins.map((origin) => again.get(origin)?.registered)).toEqual(registered);
  });

  it('have schemas that can be used', () => {
    const unusable: string[] = [];
    for (const [server, tools] of servers) {
      for (const { name, inputSchema } of tools) {
        const schema = inputSchema as Readonly<Record<string, unknown>>;
        const check = schemaCheck(schema, {
          patterns,
          onUnusable: (reason) => unusable.push(`${server} ${name}: ${reason}`),
        });
        // As a client would send it: an enum of nothing has no example.
        const example = JSON.parse(JSON.stringify(exampleArguments(schema)));
        for (const [key, value] of Object.entries(example)) check.fits(key, value);
        check.check(example);
      }
    }
    expect(unusable).toEqual([]);
  });
});
