import { type PluginRuntime, RegistrationError } from '@nexus/core';
import { describe, expect, it } from 'vitest';
import { addOwned, type Owned, sortedDefinitions } from './owned.ts';

const of = (name: string, definition: string): Owned<string> => ({
  definition,
  runtime: { name } as PluginRuntime,
});

describe('what plugins bring under a key', () => {
  it('is listed in the order of the keys, whoever came first', () => {
    const entries = new Map<string, Owned<string>>();
    for (const key of ['b', 'c', 'a']) addOwned(entries, key, of('one', `is ${key}`));
    expect(sortedDefinitions(entries)).toEqual(['is a', 'is b', 'is c']);
  });

  it('stays whose it was when another plugin, or the same, takes the key again', () => {
    const entries = new Map<string, Owned<string>>();
    addOwned(entries, 'nexus://a', of('one', 'first'));
    for (const name of ['other', 'one']) {
      const taking = () => addOwned(entries, 'nexus://a', of(name, 'second'));
      expect(taking).toThrow(RegistrationError);
      expect(taking).toThrow(`plugin "${name}": "nexus://a" is taken by plugin "one"; rename one`);
    }
    expect(sortedDefinitions(entries)).toEqual(['first']);
  });
});
