import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sessionEnvironment } from './session-environment.ts';

const folder = mkdtempSync(join(tmpdir(), 'nexus-environment-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the environment that a bridge tells the owner', () => {
  it('has the variables that the config names and that are set, and no others', () => {
    const file = join(folder, 'nexus.config.yaml');
    writeFileSync(
      file,
      'toolboxes: {a: {env: {T: "${TOKEN}", U: "${URL:-x}", E: "${EMPTY}", N: "${UNSET}"}}}',
    );
    const env = { TOKEN: 'secret', URL: 'http://a', EMPTY: '', OTHER: 'not asked for' };
    expect(sessionEnvironment(file, env)).toEqual({ TOKEN: 'secret', URL: 'http://a', EMPTY: '' });
  });

  it('says how long the host waits, config or none', () => {
    expect(sessionEnvironment(undefined, { NEXUS_CLIENT_TIMEOUT_MS: '5', A: 'a' })).toEqual({
      NEXUS_CLIENT_TIMEOUT_MS: '5',
    });
  });

  it('is empty without a config, and where it can’t be read', () => {
    expect(sessionEnvironment(undefined, { A: 'a' })).toEqual({});
    expect(sessionEnvironment(join(folder, 'none.json'), { A: 'a' })).toEqual({});
  });
});
