import { expect } from 'vitest';
import { bundleFixture } from '../harness/bundle-fixture.ts';
import { didNotPass, didPass, runConformanceSuite } from '../harness/conformance-suite.ts';
import { startHttpServer } from '../harness/http-server.ts';
import { makeProject } from '../harness/project.ts';
import { verifiesApp } from '../harness/verifies.ts';

const SUITE_TIMEOUT_MS = 180_000;
/** Shorter than the suite's one long call, so that its client has to come back for the answer. */
const MAX_STREAM_MS = 700;

verifiesApp(
  'http.conformance',
  'passes every check of the official conformance suite',
  async () => {
    const config = { plugins: ['./conformance-plugin.mjs'], http: { maxStreamMs: MAX_STREAM_MS } };
    await using project = await makeProject({ config });
    await bundleFixture('conformance-plugin', project.path('conformance-plugin.mjs'));
    await using server = await startHttpServer(project, { args: ['--no-auth'] });
    const { exitCode, stdout, checks } = await runConformanceSuite(server.url, project);
    expect(checks.filter(didNotPass)).toEqual([]);
    expect(exitCode, stdout).toBe(0);
    expect(checks.filter(didPass).length).toBeGreaterThanOrEqual(46);
  },
  SUITE_TIMEOUT_MS,
);
