import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { openBrowser } from './open-browser.ts';

afterEach(() => vi.unstubAllEnvs());

it.runIf(process.platform === 'linux')(
  'opens a browser with what finds the screen, and no secret',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'nexus-browser-'));
    try {
      const seen = join(folder, 'seen');
      writeFileSync(
        join(folder, 'xdg-open'),
        `#!/bin/sh\n{ env; echo "$1"; } > '${seen}.new'; mv '${seen}.new' '${seen}'\n`,
      );
      chmodSync(join(folder, 'xdg-open'), 0o755);
      vi.stubEnv('PATH', [folder, process.env.PATH].join(delimiter));
      vi.stubEnv('DISPLAY', ':9');
      vi.stubEnv('NEXUS_CANARY_TOKEN', 'secret');
      await openBrowser(new URL('https://example.com/?a=1&b=2'));
      await vi.waitFor(() => expect(existsSync(seen)).toBe(true), { timeout: 10_000 });
      const text = readFileSync(seen, 'utf8');
      expect(text).toContain('DISPLAY=:9');
      expect(text).toContain('https://example.com/?a=1&b=2');
      expect(text).not.toContain('NEXUS_CANARY');
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
