import { defineConfig } from 'vitest/config';

/** Unit tests sit beside the source; the JSON report feeds the closing line of `pnpm check`. */
export const unitTests = defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    reporters: ['default', 'json'],
    outputFile: { json: '.reports/unit.json' },
  },
});
