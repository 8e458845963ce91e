#!/usr/bin/env node
import { existsSync } from 'node:fs';

const bundle = new URL('../dist/main.js', import.meta.url);
if (existsSync(bundle)) {
  await import(bundle.href);
} else {
  process.stderr.write('nexus: not built yet; run `npx -y pnpm@12 build` in the folder you cloned\n');
  process.exitCode = 1;
}
