#!/usr/bin/env node
const bundle = new URL('../dist/main.js', import.meta.url);
try {
  await import(bundle.href);
} catch (error) {
  // Looked for only then: to import `node:fs` costs each start a millisecond.
  const { existsSync } = await import('node:fs');
  if (existsSync(bundle)) throw error;
  process.stderr.write('nexus: not built yet; run `npx -y pnpm@12 build` in the folder you cloned\n');
  process.exitCode = 1;
}
