// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code is quoted

import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fixtureSubject } from '../fixture-subject.ts';
import { configKeys } from './config-keys.ts';

const FILE = 'packages/core/src/a.ts';
const configSchema = z.object({
  models: z.strictObject({ models: z.record(z.string(), z.strictObject({ price: z.number().optional() })) }),
});
const check = (text: string) =>
  configKeys.run({ ...fixtureSubject({ files: { [FILE]: text } }), configSchema });

describe('config-keys', () => {
  it.each([
    'export const a = (model: string) => `Set models.models["${model}"].price in the config.`;',
    "export const a = 'Set models.models.<provider:name>.price there.';",
    "export const a = 'Longer than words.maxWords allows.';",
    "export const a = 'See models.models and models.md beside it.';",
  ])('finds nothing in %s', (text) => {
    expect(check(text)).toEqual([]);
  });

  it.each([
    [
      'export const a = (model: string) => `Set models.overrides["${model}"].price there.`;',
      'models.overrides',
    ],
    ["export const a = 'Set models.models.<name>.cost there.';", 'models.models.*.cost'],
    ["export const a = 'Longer than words.most allows.';", 'words.most'],
  ])('finds a key that the config refuses in %s', (text, key) => {
    expect(check(text)).toMatchObject([{ what: expect.stringContaining(key), where: `${FILE}:1` }]);
  });

  it('says so where it looked at nothing', () => {
    expect(check('export const a = 1;')).toMatchObject([{ what: expect.stringContaining('looked at no') }]);
  });
});
