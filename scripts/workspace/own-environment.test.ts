import { delimiter } from 'node:path';
import { expect, it } from 'vitest';
import { ownEnvironment } from './own-environment.ts';

it('leaves out what a script of this checkout is told, and keeps what a person has set', () => {
  const env = ownEnvironment('/checkout', {
    PATH: ['/checkout/node_modules/.bin', '/checkout-2/bin', '/usr/bin'].join(delimiter),
    HOME: '/home/ada',
    npm_config_cache: '/cache',
    npm_lifecycle_event: 'first-hour',
    npm_package_json: '/checkout/package.json',
    PNPM_PACKAGE_NAME: 'nexus-workspace',
    pnpm_config_verify_deps_before_run: 'false',
    INIT_CWD: '/checkout',
    NEXUS_TRUST: 'all',
  });
  expect(env).toEqual({
    PATH: ['/checkout-2/bin', '/usr/bin'].join(delimiter),
    HOME: '/home/ada',
    npm_config_cache: '/cache',
  });
});
