import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { workflowJsonSchema } from './json-schema.ts';

const TEMPLATES = fileURLToPath(new URL('../../templates', import.meta.url));

describe('the JSON Schema of workflow files', () => {
  const schema = z.fromJSONSchema(workflowJsonSchema() as Parameters<typeof z.fromJSONSchema>[0]);

  it('takes every file that comes with Nexus', () => {
    const files = readdirSync(TEMPLATES, { recursive: true })
      .map(String)
      .filter((file) => file.endsWith('.yaml'));
    expect(files).toHaveLength(16);
    for (const file of files) {
      const parsed = schema.safeParse(parse(readFileSync(`${TEMPLATES}/${file}`, 'utf8')));
      expect([file, parsed.error?.issues]).toEqual([file, undefined]);
    }
  });

  it.each([
    { name: 'x', description: 'x' },
    { name: 'x', description: 'x', steps: [] },
    { name: 'x', description: 'x', steps: [{ id: 'a', uses: 'vote', retries: 6 }] },
    { name: 'x', description: 'x', steps: [{ id: 'a', uses: 'vote', need: [] }] },
    { name: 'X Y', description: 'x', steps: [{ id: 'a', uses: 'vote' }] },
    { name: 'x', description: 'x', nodes: [{ id: 'a', uses: 'vote', needs: [] }] },
  ])('refuses what Nexus would: %j', (file) => {
    expect(schema.safeParse(file).success).toBe(false);
  });
});
