import { expect, it } from 'vitest';
import research from './index.ts';

it.each(['../x', 'a/../../x', '/x', 'C:/x', 'a\n/../../x', 'a\u2028/../../x'])(
  'takes no folder %j',
  (folder) => {
    expect(research.options?.safeParse({ folder }).success).toBe(false);
  },
);
