import { expect, it } from 'vitest';
import { z } from 'zod';
import { requirementsBy } from './requirements.ts';

/** What a model is told of an id. */
function idPatterns(): RegExp[] {
  const written = JSON.stringify(z.toJSONSchema(requirementsBy(), { io: 'input' }), null, 1);
  return [...written.matchAll(/"pattern": ("[^\n]*")/g)].map(
    ([, pattern = '']) => new RegExp(JSON.parse(pattern)),
  );
}

it.each(['R-1', 'REQ.2', 'refuse-empty-input'])(
  'a model may call a requirement %s, as specifications do',
  (id) => {
    const patterns = idPatterns();
    expect(patterns.length).toBeGreaterThan(0);
    for (const pattern of patterns) expect(id).toMatch(pattern);
  },
);
