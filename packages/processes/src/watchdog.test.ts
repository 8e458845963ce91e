import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import { createWatchdog } from './watchdog.ts';

afterEach(() => vi.unstubAllEnvs());

/** What children of this process are run by `/bin/sh -c`, and got. */
function shells(): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const [, parent] = /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
      const isShell = readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('/bin/sh\0-c');
      return parent === String(process.pid) && isShell ? [readFileSync(`/proc/${pid}/environ`, 'utf8')] : [];
    } catch {
      return []; // gone, or no process
    }
  });
}

it.runIf(process.platform === 'linux')('is a shell that gets nothing of what is secret here', async () => {
  vi.stubEnv('NEXUS_CANARY_TOKEN', 'secret');
  vi.stubEnv('BASH_ENV', '/nowhere');
  const watchdog = createWatchdog();
  try {
    watchdog.watch(2 ** 30);
    await vi.waitFor(() => expect(shells()).toHaveLength(1), { timeout: 10_000 });
    expect(shells()[0]).toContain('PATH=');
    expect(shells()[0]).not.toMatch(/NEXUS_CANARY|BASH_ENV/);
  } finally {
    watchdog.release(2 ** 30);
    watchdog.close();
  }
});
