import { expect, it } from 'vitest';
import { isAnyFound } from './is-any-found.ts';
import type { ProviderSettings } from './settings.ts';

const there = (
  providers: Readonly<Record<string, ProviderSettings>>,
  environment: Readonly<Record<string, string>> = {},
  programs: readonly string[] = [],
) => {
  const findProgram = (command: string) => (programs.includes(command) ? `/bin/${command}` : undefined);
  return isAnyFound(providers, { environment, findProgram });
};

it('finds a model by a key, by an address of the config and by a program, and none without', () => {
  expect(there({})).toBe(false);
  expect(there({}, { OPENAI_API_KEY: 'k' })).toBe(true);
  expect(there({ openai: { isEnabled: false } }, { OPENAI_API_KEY: 'k' })).toBe(false);
  const local = { isEnabled: true, baseUrl: 'http://127.0.0.1:9/v1', models: ['small'] };
  expect(there({ local })).toBe(true);
  expect(there({ local: { ...local, models: [] } })).toBe(false);
  expect(there({}, {}, ['claude'])).toBe(true);
  expect(there({ claude: { isEnabled: false } }, {}, ['claude'])).toBe(false);
  expect(there({ claude: { isEnabled: true, command: 'own' } }, {}, ['own'])).toBe(true);
});
